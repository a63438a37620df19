import { expect, test } from 'bun:test';
import { eventLoopTurn } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { AppError } from './errors.ts';
import { FairGate, type FairGateOptions, type Release } from './fair-gate.ts';

/** Enters a gate under names, and records in which order they are admitted or rejected. */
function setUp(options: Partial<FairGateOptions> = {}) {
  const busy = () => new AppError('unavailable', 'Busy');
  const gate = new FairGate({ clock: new TestClock(), perCaller: 2, total: 3, busy, ...options });
  const log: string[] = [];
  const slots = new Map<string, Release>();
  const enter = (caller: string, name: string): void => {
    const entered = gate.enter(caller);
    const admitted = (release: Release): void => {
      log.push(name);
      slots.set(name, release);
    };
    if (!(entered instanceof Promise)) admitted(entered);
    else entered.then(admitted, (error) => log.push(`${name} ${error.code}`));
  };
  const leave = async (...names: string[]): Promise<void> => {
    for (const name of names) slots.get(name)?.();
    // A turn for each admission, and some in which nobody may be admitted.
    for (let turn = 0; turn < 5; turn += 1) await eventLoopTurn();
  };
  return { gate, log, enter, leave };
}

test('the fair gate admits waiting callers in turns, and the requests of each in order', async () => {
  const { gate, log, enter, leave } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter('a', name);
  for (const name of ['b1', 'b2', 'b3']) enter('b', name);
  enter('c', 'c1');
  for (const name of ['a1', 'b1', 'a2', 'a3', 'b2', 'c1', 'a4']) await leave(name);
  expect(log).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4', 'b3', 'a5']);
  expect(gate.waiting).toBe(0);
});

test('the fair gate admits one waiter in each turn of the event loop, even if no request takes any time', async () => {
  const { gate, log } = setUp();
  for (let n = 1; n <= 6; n += 1) {
    const run = (release: Release): void => {
      log.push(`a${n}`);
      release();
    };
    const entered = gate.enter('a');
    if (entered instanceof Promise) void entered.then(run);
    else run(entered);
  }
  const seen = [log.length];
  for (let turn = 0; turn < 5; turn += 1) {
    await eventLoopTurn();
    seen.push(log.length);
  }
  expect(seen).toEqual([2, 3, 4, 5, 6, 6]);
});

test('the fair gate rejects only the last of the caller with the most waiters when too many wait', async () => {
  const { log, enter } = setUp({ maxWaiting: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter('a', name);
  for (const name of ['b1', 'b2']) enter('b', name);
  await eventLoopTurn();
  expect(log).toEqual(['a1', 'a2', 'b1', 'a5 unavailable']);
});
