import { describe, expect, test } from 'bun:test';
import { Pacer, type Place } from './pacing.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { turnOfTheLoop } from './testing/outcome.ts';

/** The server's rule: of the requests in (now − 60 s, now] the first 60 pass, and one more blocks the key for 300 s. */
class ServerWindow {
  counted: number[] = [];
  blocks = 0;
  #blockedUntil = 0;

  check(now: number): number {
    if (now < this.#blockedUntil) return Math.ceil((this.#blockedUntil - now) / 1000);
    this.counted = this.counted.filter((at) => at > now - 60_000);
    if (this.counted.length < 60) return this.counted.push(now) * 0;
    this.counted = [];
    this.blocks += 1;
    this.#blockedUntil = now + 300_000;
    return 300;
  }
}

describe('against the rule of the server, with any delays on the way there and back', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('400 calls of one process never get the key blocked (%d)', async (seed) => {
    const random = randomOf(seed);
    const clock = new ManualClock();
    const pacer = new Pacer(clock);
    const call = () => pacer.turn(pacer.takePlace({ paced: true, blockWaitMs: 0, signal: undefined }));
    const server = new ServerWindow();
    let done = 0;
    for (let index = 0; index < 400; index += 1) {
      clock.setTimer(random(seed % 2 === 0 ? 1 : 300_000), async () => {
        const turn = await call();
        clock.setTimer(random(3_000), () => {
          expect(server.check(clock.now())).toBe(0);
          clock.setTimer(random(90_000), () => {
            done += 1;
            turn.end();
          });
        });
      });
    }
    await run(clock);
    expect(done).toBe(400);
    expect(server.blocks).toBe(0);
  });

  test.each([0.001, 0.01, 0.1])(
    '200 calls at once never get it blocked, if each look at the clock takes %d ms',
    async (readingMs) => {
      const random = randomOf(1);
      const clock = new ManualClock(readingMs);
      const pacer = new Pacer(clock);
      const server = new ServerWindow();
      let done = 0;
      for (let index = 0; index < 200; index += 1) {
        void pacer.turn(pacer.takePlace({ paced: true, blockWaitMs: 0, signal: undefined })).then((turn) => {
          server.check(clock.now());
          clock.setTimer(random(20), () => {
            done += 1;
            turn.end();
          });
        });
      }
      await run(clock);
      expect({ done, blocks: server.blocks }).toEqual({ done: 200, blocks: 0 });
    },
  );

  test('calls that wait for the block by another process are then sent without causing one', async () => {
    const random = randomOf(9);
    const clock = new ManualClock();
    const pacer = new Pacer(clock);
    const server = new ServerWindow();
    for (let index = 0; index < 61; index += 1) server.check(0);
    let done = 0;
    const send = async (place: Place) => {
      const turn = await pacer.turn(place);
      clock.setTimer(random(500), () => {
        const retryAfterSeconds = server.check(clock.now());
        clock.setTimer(random(500), () => {
          if (retryAfterSeconds === 0) {
            done += 1;
            turn.end();
          } else if (turn.endBlocked(retryAfterSeconds)) void send(place);
        });
      });
    };
    for (let index = 0; index < 200; index += 1) {
      void send(pacer.takePlace({ paced: true, blockWaitMs: Number.POSITIVE_INFINITY, signal: undefined }));
    }
    await run(clock);
    expect(done).toBe(200);
    expect(server.blocks).toBe(1);
  });
});

/** A repeatable source of numbers from 0 up to a bound (a linear congruential generator, the constants of glibc). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state / 0x80000000) * below;
  };
}

/** Lets the time run until nothing is left to happen. */
async function run(clock: ManualClock): Promise<void> {
  await turnOfTheLoop();
  while (clock.timers > 0) {
    clock.advance(clock.nextAt - clock.now());
    await turnOfTheLoop();
  }
}
