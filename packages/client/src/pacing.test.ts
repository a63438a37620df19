import { describe, expect, test } from 'bun:test';
import { ManualClock } from '@hub/testkit/client/manual-clock';
import { eventLoopTurn, failureOf, isPending } from '@hub/testkit/client/outcome';
import { Pacer, type Slot, type Turn } from './pacing.ts';

function start() {
  const clock = new ManualClock();
  const pacer = new Pacer(clock);
  const started: number[] = [];
  const call = (options: Partial<Slot> = {}): Promise<Turn> => {
    const slot = pacer.takeSlot({ paced: true, blockWaitMs: 0, signal: undefined, ...options });
    const turn = pacer.turn(slot);
    turn.then(
      () => started.push(slot.number),
      () => {},
    );
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

  test('counts a request until 60 s after its response, so that one without a response keeps counting', async () => {
    const { clock, call } = start();
    const turns = await Promise.all(Array.from({ length: 60 }, () => call()));
    const next = call();
    clock.advance(600_000);
    expect(await isPending(next)).toBe(true);
    turns[30]?.end();
    clock.advance(60_049);
    expect(await isPending(next)).toBe(true);
    clock.advance(1);
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
    expect(clock.timers).toBe(0);
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

  test('empties the window, so that 60 calls start after it, with the blocked call in its old position', async () => {
    const { clock, pacer, burst, call, started } = start();
    await burst(59);
    const slot = pacer.takeSlot({ paced: true, blockWaitMs: Number.POSITIVE_INFINITY, signal: undefined });
    const blocked = await pacer.turn(slot);
    const waiting = Array.from({ length: 60 }, () => call({ blockWaitMs: Number.POSITIVE_INFINITY }));
    expect(blocked.endBlocked(1)).toBe(true);
    pacer.turn(slot).then(() => started.push(slot.number));
    clock.advance(1_000);
    await eventLoopTurn();
    expect(started.slice(59)).toEqual(Array.from({ length: 60 }, (_, index) => 60 + index));
    expect(await isPending(waiting[59] as Promise<Turn>)).toBe(true);
  });
});
