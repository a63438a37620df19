import { describe, expect, test } from 'bun:test';
import { TestClock } from '../testing/test-clock.ts';
import { KeyLimiter } from './key-limiter.ts';

function setUp() {
  const clock = new TestClock();
  const limiter = new KeyLimiter(clock);
  const send = (keyId: string, count: number): boolean[] =>
    Array.from({ length: count }, () => limiter.admit(keyId).admitted);
  return { clock, limiter, send };
}

describe('the limiter of all keys', () => {
  test('keys have windows of their own', () => {
    const { limiter, send } = setUp();
    expect(send('a', 61).at(-1)).toBe(false);
    expect(limiter.admit('b').admitted).toBe(true);
    expect(limiter.blockRemainingMs('a')).toBe(300_000);
    expect(limiter.blockRemainingMs('b')).toBe(0);
  });

  test('a wall clock that is set either way changes no window and no block', () => {
    const { clock, limiter, send } = setUp();
    send('a', 61);
    clock.setWall(0);
    expect(limiter.blockRemainingMs('a')).toBe(300_000);
    clock.setWall(Date.parse('2040-01-01T00:00:00Z'));
    expect(limiter.blockRemainingMs('a')).toBe(300_000);
    clock.advance(300_000);
    expect(limiter.admit('a').admitted).toBe(true);
  });

  test('memory is bounded by the keys of the last minute: others are forgotten as requests come', () => {
    const { clock, limiter } = setUp();
    for (let n = 0; n < 10_000; n += 1) limiter.admit(`key_${n}`);
    expect(limiter.size).toBe(10_000);
    clock.advance(60_000);
    for (let n = 0; n < 5_001; n += 1) limiter.admit('busy');
    // At two looks for each, half as many requests as there were keys have been through them all.
    expect(limiter.size).toBeLessThanOrEqual(3);
  });

  test('memory stays bounded while new keys come without end', () => {
    const { clock, limiter } = setUp();
    for (let n = 0; n < 50_000; n += 1) {
      limiter.admit(`key_${n}`);
      clock.advance(60);
    }
    // A thousand of them in each minute.
    expect(limiter.size).toBeLessThanOrEqual(2_000);
  });

  test('a decision takes about as long among 100,000 keys as among 2,000', () => {
    const DECISIONS = 200_000;
    const busyFor = (keys: number): number => {
      const { limiter } = setUp();
      const round = (): void => {
        for (let n = 0; n < keys; n += 1) limiter.admit(`key_${n}`);
      };
      round();
      // Of the processor, so that nothing else that the machine does counts.
      const start = process.cpuUsage();
      for (let rounds = DECISIONS / keys; rounds > 0; rounds -= 1) round();
      return process.cpuUsage(start).user;
    };
    const best = (keys: number): number => Math.min(...[1, 2, 3].map(() => busyFor(keys)));
    // Memory that is spread wider makes it three or four times; going through what is there made it thirty times.
    expect(best(100_000)).toBeLessThan(10 * best(2_000));
  });

  test('a blocked key at the front does not keep the idle ones behind it in memory', () => {
    const { clock, limiter, send } = setUp();
    send('blocked', 61);
    for (let n = 0; n < 1_000; n += 1) limiter.admit(`key_${n}`);
    clock.advance(60_000);
    for (let n = 0; n < 1_000; n += 1) limiter.admit(`key_of_now_${n}`);
    for (let n = 0; n < 1_000; n += 1) limiter.admit(`key_of_now_${n}`);
    expect(limiter.size).toBeLessThanOrEqual(1_001);
    expect(limiter.blockRemainingMs('blocked')).toBe(240_000);
  });

  test('a key that is used all the time keeps its window', () => {
    const { clock, limiter } = setUp();
    for (let n = 0; n < 60; n += 1) {
      limiter.admit('steady');
      limiter.admit(`key_${n}`);
      clock.advance(999);
    }
    expect(limiter.admit('steady').admitted).toBe(false);
  });

  test('blocks are told until their end was written down', () => {
    const { clock, limiter, send } = setUp();
    send('a', 61);
    clock.advance(100_000);
    expect(limiter.blocks()).toEqual([{ keyId: 'a', remainingMs: 200_000 }]);
    limiter.forgetEndedBlock('a');
    clock.advance(200_000);
    expect(limiter.blocks()).toEqual([{ keyId: 'a', remainingMs: 0 }]);
    limiter.forgetEndedBlock('a');
    expect(limiter.blocks()).toEqual([]);
  });
});
