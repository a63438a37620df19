import { describe, expect, test } from 'bun:test';
import { ManualClock } from '@hub/testkit/client/manual-clock';
import { eventLoopTurn } from '@hub/testkit/client/outcome';
import { seeded } from '@hub/testkit/random';
import { Pacer, type Slot } from './pacing.ts';

/** The server's rate limit: the first 60 requests in (now − 60 s, now] pass, and one more blocks the key for 300 s. */
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

describe("pacing against the server's rate limit, with random delays in both directions", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never gets the key blocked with 400 calls from one process (seed %d)',
    async (seed) => {
      const random = randomOf(seed);
      const clock = new ManualClock();
      const pacer = new Pacer(clock);
      const call = () => pacer.turn(pacer.takeSlot({ paced: true, blockWaitMs: 0, signal: undefined }));
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
    },
  );

  test.each([0.001, 0.01, 0.1])(
    'never gets the key blocked with 200 simultaneous calls if each clock reading takes %d ms',
    async (readingMs) => {
      const random = randomOf(1);
      const clock = new ManualClock(readingMs);
      const pacer = new Pacer(clock);
      const server = new ServerWindow();
      let done = 0;
      for (let index = 0; index < 200; index += 1) {
        void pacer.turn(pacer.takeSlot({ paced: true, blockWaitMs: 0, signal: undefined })).then((turn) => {
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

  test('sends calls after a block caused by another process without causing a new block', async () => {
    const random = randomOf(9);
    const clock = new ManualClock();
    const pacer = new Pacer(clock);
    const server = new ServerWindow();
    for (let index = 0; index < 61; index += 1) server.check(0);
    let done = 0;
    const send = async (slot: Slot) => {
      const turn = await pacer.turn(slot);
      clock.setTimer(random(500), () => {
        const retryAfterSeconds = server.check(clock.now());
        clock.setTimer(random(500), () => {
          if (retryAfterSeconds === 0) {
            done += 1;
            turn.end();
          } else if (turn.endBlocked(retryAfterSeconds)) void send(slot);
        });
      });
    };
    for (let index = 0; index < 200; index += 1) {
      void send(pacer.takeSlot({ paced: true, blockWaitMs: Number.POSITIVE_INFINITY, signal: undefined }));
    }
    await run(clock);
    expect(done).toBe(200);
    expect(server.blocks).toBe(1);
  });
});

/** Returns a seeded generator of numbers from 0 to a bound. */
function randomOf(seed: number): (below: number) => number {
  const random = seeded(seed);
  return (below) => random() * below;
}

/** Advances the clock until no timers are left. */
async function run(clock: ManualClock): Promise<void> {
  await eventLoopTurn();
  while (clock.timers > 0) {
    clock.advance(clock.nextAt - clock.now());
    await eventLoopTurn();
  }
}
