import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { pruneRegularly } from './prune.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A store whose pruning takes as long as the test wants, and fails on request. */
function setUp() {
  const clock = new TestClock();
  const runs: PromiseWithResolvers<void>[] = [];
  const lines: string[] = [];
  let underWay = 0;
  let isLastStep = false;
  const store = {
    transaction: async () => {
      // A run has one step, after which it deletes expired sessions and links.
      if (isLastStep) {
        isLastStep = false;
        return;
      }
      underWay += 1;
      expect(underWay).toBe(1);
      const run = Promise.withResolvers<void>();
      runs.push(run);
      try {
        await run.promise;
      } finally {
        underWay -= 1;
      }
      isLastStep = true;
      return { erased: 0, next: null };
    },
  };
  const note = (_fields: object, message: string) => void lines.push(message);
  const log = { debug: note, info: note, warn: note, error: note };
  const pruning = pruneRegularly({ store: store as never, clock, log });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  return { clock, runs, lines, pruning, pass, settle };
}

test('pruning runs soon after start-up and every hour, never twice at the same time', async () => {
  const { runs, pass, settle } = setUp();
  await pass(10 * SECOND);
  expect(runs).toHaveLength(0);
  await pass(5 * SECOND);
  expect(runs).toHaveLength(1);
  await pass(180 * MINUTE);
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await settle();
  await pass(59 * MINUTE);
  expect(runs).toHaveLength(1);
  await pass(1 * MINUTE);
  expect(runs).toHaveLength(2);
});

test('a failed run is logged and retried after a few minutes', async () => {
  const { runs, lines, pass, settle } = setUp();
  await pass(15 * SECOND);
  runs[0]?.reject(new Error('The disk is full'));
  await settle();
  expect(lines).toEqual(['Failed to delete expired data; retrying']);
  await pass(5 * MINUTE);
  expect(runs).toHaveLength(2);
});

test('stopping waits for the current step and starts no new one', async () => {
  const { runs, pruning, pass, settle } = setUp();
  await pass(15 * SECOND);
  let isOver = false;
  const over = pruning.stop().then(() => {
    isOver = true;
  });
  await settle();
  expect(isOver).toBe(false);
  runs[0]?.resolve();
  await over;
  await pass(60 * MINUTE);
  expect(runs).toHaveLength(1);
});
