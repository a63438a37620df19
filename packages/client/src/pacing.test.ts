import { describe, expect, test } from 'bun:test';
import { Pacer, type Place, type Turn } from './pacing.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { failureOf, isPending, turnOfTheLoop } from './testing/outcome.ts';

function start() {
  const clock = new ManualClock();
  const pacer = new Pacer(clock);
  const started: number[] = [];
  const call = (options: Partial<Place> = {}): Promise<Turn> => {
    const place = pacer.takePlace({ paced: true, blockWaitMs: 0, signal: undefined, ...options });
    const turn = pacer.turn(place);
    turn.then(
      () => started.push(place.number),
      () => {},
    );
    return turn;
  };
  /** Makes `count` calls, each of which is answered at once. */
  const burst = async (count: number) => {
    for (let index = 0; index < count; index += 1) (await call()).end();
  };
  return { clock, pacer, started, call, burst };
}

describe('pacing', () => {
  test('lets 60 requests go at once, and the 61st 60 s after the answer to the first', async () => {
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

  test('counts from the answer, so that a request without one holds its place however long it takes', async () => {
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

  test('starts requests in the order of the calls', async () => {
    const { clock, call, burst, started } = start();
    await burst(60);
    for (let index = 0; index < 5; index += 1) call().then((turn) => turn.end());
    clock.advance(60_050);
    await turnOfTheLoop();
    expect(started.slice(60)).toEqual([61, 62, 63, 64, 65]);
  });

  test('does not count a request that the server never saw', async () => {
    const { call } = start();
    for (let index = 0; index < 200; index += 1) (await call()).endUnsent();
    expect(await isPending(call())).toBe(false);
  });

  test('lets a call that is not paced go, and counts it', async () => {
    const { call, burst } = start();
    await burst(59);
    (await call({ paced: false })).end();
    expect(await isPending(call())).toBe(true);
    expect(await isPending(call({ paced: false }))).toBe(false);
  });

  test('stops waiting at an abort, with the reason, and lets the others keep their order', async () => {
    const { clock, call, burst, started } = start();
    await burst(60);
    const controller = new AbortController();
    const aborted = failureOf(call({ signal: controller.signal }));
    call();
    controller.abort('enough');
    expect(await aborted).toBe('enough');
    expect(await failureOf(call({ signal: controller.signal }))).toBe('enough');
    clock.advance(60_050);
    await turnOfTheLoop();
    expect(started.slice(60)).toEqual([62]);
    expect(clock.timers).toBe(0);
  });

  test('sets no timer while nobody waits, and is idle once nothing counts any more', async () => {
    const { clock, pacer, burst } = start();
    expect(pacer.isIdle).toBe(true);
    await burst(1);
    expect(clock.timers).toBe(0);
    expect(pacer.isIdle).toBe(false);
    clock.advance(60_050);
    expect(pacer.isIdle).toBe(true);
  });
});

describe('a block', () => {
  test('holds the calls that may wait for its end, and lets the others learn of it at once', async () => {
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

  test('is waited for within the time that one call has, over several blocks', async () => {
    const { clock, pacer } = start();
    const place = pacer.takePlace({ paced: true, blockWaitMs: 500_000, signal: undefined });
    expect((await pacer.turn(place)).endBlocked(300)).toBe(true);
    const again = pacer.turn(place);
    clock.advance(300_000);
    expect((await again).endBlocked(200)).toBe(true);
    const third = pacer.turn(place);
    clock.advance(200_000);
    expect((await third).endBlocked(1)).toBe(false);
  });

  test('empties the window: afterwards 60 go at once, one of them the call that met it, in its old place', async () => {
    const { clock, pacer, burst, call, started } = start();
    await burst(59);
    const place = pacer.takePlace({ paced: true, blockWaitMs: Number.POSITIVE_INFINITY, signal: undefined });
    const met = await pacer.turn(place);
    const later = Array.from({ length: 60 }, () => call({ blockWaitMs: Number.POSITIVE_INFINITY }));
    expect(met.endBlocked(1)).toBe(true);
    pacer.turn(place).then(() => started.push(place.number));
    clock.advance(1_000);
    await turnOfTheLoop();
    expect(started.slice(59)).toEqual(Array.from({ length: 60 }, (_, index) => 60 + index));
    expect(await isPending(later[59] as Promise<Turn>)).toBe(true);
  });

  test('does not make it forget what was answered after the request that met it was sent', async () => {
    const { clock, call, burst } = start();
    const met = await call();
    clock.advance(10);
    await burst(59);
    met.endBlocked(1);
    clock.advance(1_000);
    expect(await isPending(call())).toBe(false);
    expect(await isPending(call())).toBe(true);
  });
});
