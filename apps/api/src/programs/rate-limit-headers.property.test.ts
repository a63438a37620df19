import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import fc from 'fast-check';
import { KeyLimiter } from './key-limiter.ts';
import { rateLimit } from './public-gate.ts';

const FORM = /^"default";r=(\d+);t=(\d+)$/;

test('a blocked client is admitted again when the time in t or Retry-After is over, and not a second earlier', () => {
  const pauses = fc.array(fc.oneof(fc.nat(50), fc.nat(3_000), fc.integer({ min: 30_000, max: 70_000 })), {
    minLength: 1,
    maxLength: 150,
  });
  fc.assert(
    fc.property(pauses, (all) => {
      const clock = new TestClock();
      const limiter = new KeyLimiter(clock);
      let lastLeft = 60;
      let lastReset = 0;
      for (const pause of all) {
        clock.advance(pause);
        const admission = limiter.admit('key');
        const [, left = '', reset = ''] = FORM.exec(rateLimit(admission)) ?? [];
        expect([left, reset]).not.toContain('');
        if (admission.admitted) {
          expect(+left).toBeLessThan(60);
          expect(+reset).toBeGreaterThanOrEqual(0);
          expect(+reset).toBeLessThanOrEqual(60);
          // Within the reported time, only the client's own requests change the remaining count.
          if (pause < (lastReset - 1) * 1_000) expect(+left).toBe(lastLeft - 1);
          [lastLeft, lastReset] = [+left, +reset];
          continue;
        }
        const { retryAfterSeconds } = admission;
        expect([+left, +reset]).toEqual([0, retryAfterSeconds]);
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(retryAfterSeconds).toBeLessThanOrEqual(300);
        clock.advance((retryAfterSeconds - 1) * 1_000);
        expect(limiter.admit('key').admitted).toBe(false);
        clock.advance(1_000);
        expect(limiter.admit('key').admitted).toBe(true);
        return;
      }
    }),
    { numRuns: 300 },
  );
});
