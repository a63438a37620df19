import { describe, expect, test } from 'bun:test';
import { eventLoopTurn, failureOf, isPending } from '@hub/testkit/concurrency';
import { seeded } from '@hub/testkit/random';
import { ManualClock } from '../test/timed-client.ts';
import { Pacer, Pacers, type Slot, type Turn } from './pacing.ts';

const slot = { paced: true, blockWaitMs: 0, signal: undefined };

function start() {
  const clock = new ManualClock();
  const pacer = new Pacer(clock);
  const started: number[] = [];
  const call = (options: Partial<Slot> = {}): Promise<Turn> => {
    const taken = pacer.takeSlot({ ...slot, ...options });
    const turn = pacer.turn(taken);
    turn.then(() => started.push(taken.number)).catch(() => {});
    return turn;
  };
  /** Makes `count` calls that get their responses immediately. */
  const burst = async (count: number) => {
    for (let index = 0; index < count; index += 1) (await call()).end();
  };
  return { clock, pacer, started, call, burst };
}

describe('pacing', () => {
  test('starts 60 requests immediately, and the 61st 60 s after the response to the first', async () => {
    const { clock, call } = start();
    const first = await call();
    clock.advance(2_000);
    first.end();
    for (let index = 0; index < 59; index += 1) (await call()).end();
    clock.advance(1_000);
    const next = call();
    clock.advance(58_999);
    expect(await isPending(next)).toBe(true);
    clock.advance(51);
    expect(await isPending(next)).toBe(false);
  });

  test('rejects an aborted call with its reason, and keeps the order of the other calls', async () => {
    const { clock, call, burst, started } = start();
    await burst(60);
    const controller = new AbortController();
    const aborted = failureOf(call({ signal: controller.signal }));
    call();
    controller.abort('enough');
    expect(await aborted).toBe('enough');
    expect(await failureOf(call({ signal: controller.signal }))).toBe('enough');
    clock.advance(60_050);
    await eventLoopTurn();
    expect(started.slice(60)).toEqual([62]);
    expect(clock.sleeping).toBe(0);
  });
});

describe('a block', () => {
  test('delays calls that are allowed to wait for its end, and starts the others immediately', async () => {
    const { clock, call } = start();
    expect((await call()).endBlocked(300)).toBe(false);
    const waiting = call({ blockWaitMs: Number.POSITIVE_INFINITY });
    const patient = call({ blockWaitMs: 300_000 });
    expect(await isPending(call({ blockWaitMs: 299_999 }))).toBe(false);
    expect(await isPending(call())).toBe(false);
    clock.advance(299_999);
    expect(await isPending(waiting)).toBe(true);
    expect(await isPending(patient)).toBe(true);
    clock.advance(1);
    expect(await isPending(waiting)).toBe(false);
    expect(await isPending(patient)).toBe(false);
  });

  test('and the next one are waited for no longer than allowed in total', async () => {
    const { clock, pacer } = start();
    const taken = pacer.takeSlot({ ...slot, blockWaitMs: 400_000 });
    expect((await pacer.turn(taken)).endBlocked(300)).toBe(true);
    const again = pacer.turn(taken);
    clock.advance(300_000);
    expect((await again).endBlocked(300)).toBe(false);
  });

  test('empties the window, so that 60 calls start after it, with the blocked call in its old position', async () => {
    const { clock, pacer, burst, call, started } = start();
    await burst(59);
    const taken = pacer.takeSlot({ ...slot, blockWaitMs: Number.POSITIVE_INFINITY });
    const blocked = await pacer.turn(taken);
    const waiting = Array.from({ length: 60 }, () => call({ blockWaitMs: Number.POSITIVE_INFINITY }));
    expect(blocked.endBlocked(1)).toBe(true);
    pacer.turn(taken).then(() => started.push(taken.number));
    clock.advance(1_000);
    await eventLoopTurn();
    expect(started.slice(59)).toEqual(Array.from({ length: 60 }, (_, index) => 60 + index));
    expect(await isPending(waiting[59] as Promise<Turn>)).toBe(true);
  });
});

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
      const random = seeded(seed);
      const clock = new ManualClock();
      const pacer = new Pacer(clock);
      const call = () => pacer.turn(pacer.takeSlot(slot));
      const server = new ServerWindow();
      let done = 0;
      for (let index = 0; index < 400; index += 1) {
        clock.setTimer(random() * (seed % 2 === 0 ? 1 : 300_000), async () => {
          const turn = await call();
          clock.setTimer(random() * 3_000, () => {
            expect(server.check(clock.now())).toBe(0);
            clock.setTimer(random() * 90_000, () => {
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
      const random = seeded(1);
      const clock = new ManualClock(readingMs);
      const pacer = new Pacer(clock);
      const server = new ServerWindow();
      let done = 0;
      for (let index = 0; index < 200; index += 1) {
        void pacer.turn(pacer.takeSlot(slot)).then((turn) => {
          server.check(clock.now());
          clock.setTimer(random() * 20, () => {
            done += 1;
            turn.end();
          });
        });
      }
      await run(clock);
      expect({ done, blocks: server.blocks }).toEqual({ done: 200, blocks: 0 });
    },
  );
});

/** Advances the clock until no timers are left. */
async function run(clock: ManualClock): Promise<void> {
  await eventLoopTurn();
  while (clock.sleeping > 0) {
    clock.advance(clock.nextAt - clock.now());
    await eventLoopTurn();
  }
}

test('clients with the same address and key share a pacer, which is kept while it counts requests', async () => {
  const clock = new ManualClock();
  const pacers = new Pacers(clock);
  const used = pacers.of('https://a.test', 'key 1');
  (await used.turn(used.takeSlot(slot))).end();
  expect(pacers.of('https://a.test', 'key 2')).not.toBe(used);
  expect(pacers.of('https://b.test', 'key 1')).not.toBe(used);
  expect(pacers.of('https://a.test', 'key 1')).toBe(used);
  clock.advance(60_050);
  pacers.of('https://a.test', 'key 3');
  expect(pacers.of('https://a.test', 'key 1')).not.toBe(used);
});
