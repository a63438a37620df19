import { describe, expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { KeyLimiter } from '../workspace/keys/key-usage.ts';

function setUp() {
  const clock = new TestClock();
  return { clock, limiter: new KeyLimiter(clock) };
}

describe('the key limiter', () => {
  test('uses memory only for keys used in the last minute: others are dropped as requests arrive', () => {
    const { clock, limiter } = setUp();
    for (let n = 0; n < 10_000; n += 1) limiter.admit(`key_${n}`);
    expect(limiter.size).toBe(10_000);
    clock.advance(60_000);
    // A request takes as long however many keys there are: it checks two of them.
    for (const left of [9_999, 9_997, 9_995]) {
      limiter.admit('busy');
      expect(limiter.size).toBe(left);
    }
    for (let n = 0; n < 5_001; n += 1) limiter.admit('busy');
    expect(limiter.size).toBeLessThanOrEqual(3);
  });

  test('does not discard the window of a key that is constantly used', () => {
    const { clock, limiter } = setUp();
    for (let n = 0; n < 60; n += 1) {
      limiter.admit('steady');
      limiter.admit(`key_${n}`);
      clock.advance(999);
    }
    expect(limiter.admit('steady').admitted).toBe(false);
  });
});
