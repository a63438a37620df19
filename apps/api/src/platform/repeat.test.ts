import { expect, test } from 'bun:test';
import { isPending } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { oneAtATime, repeat } from './repeat.ts';

/** Work that is done at most every minute, and that the test reports as due. */
function setUp({ returned = [] as unknown[], isLeader = (): boolean => true } = {}) {
  const clock = new TestClock();
  const [times, warnings]: [number[], unknown[]] = [[], []];
  const log = { debug() {}, info() {}, warn: (fields: object) => void warnings.push(fields), error() {} };
  let report = (_at: number): void => {};
  const onDue = (listener: typeof report) => {
    report = listener;
  };
  const repetition = { firstAfterMs: 5_000, everyMs: 60_000, retryMs: 1_000, isLeader, onDue, failure: 'It failed' };
  const begunAt = clock.now();
  const stop = repeat({ clock, log }, repetition, async () => {
    times.push((clock.now() - begunAt) / 1_000);
    const next = returned.shift();
    if (next instanceof Error) throw next;
    return typeof next === 'number' ? begunAt + next * 1_000 : next;
  });
  /** Returns when the work was done until this many seconds after the start. */
  const doneBy = async (seconds: number): Promise<number[]> => {
    while ((clock.now() - begunAt) / 1_000 < seconds) {
      clock.advance(500);
      await new Promise(setImmediate);
    }
    return times.splice(0);
  };
  return { doneBy, report: (seconds: number) => report(begunAt + seconds * 1_000), stop, warnings };
}

test('work is done regularly, and when it is due as it says or as is reported, but not all the time', async () => {
  const { doneBy, report, stop } = setUp({ returned: [20, null, undefined, 30] });
  expect(await doneBy(4)).toEqual([]);
  expect(await doneBy(30)).toEqual([5, 20]);
  report(300);
  expect(await doneBy(81)).toEqual([80]);
  // Overdue work is done after a pause.
  report(90);
  expect(await doneBy(95)).toEqual([90, 91]);
  report(94);
  expect(await doneBy(160)).toEqual([96, 156]);
  await stop();
  report(165);
  expect(await doneBy(300)).toEqual([]);
});

test('a failure is logged, and the work is done again soon; another node does it for all', async () => {
  const failing = setUp({ returned: [new Error('away'), new Error('still away')] });
  expect(await failing.doneBy(50)).toEqual([5, 6, 7]);
  expect(failing.warnings).toHaveLength(2);
  await failing.stop();
  let isLeader = false;
  const other = setUp({ isLeader: () => isLeader });
  expect(await other.doneBy(30)).toEqual([]);
  isLeader = true;
  expect(await other.doneBy(40)).toEqual([31]);
  await other.stop();
});

test('work never runs twice at the same time; stopping waits for it, and starts no more', async () => {
  const run = Promise.withResolvers<null>();
  const { doneBy, stop } = setUp({ returned: [run.promise] });
  expect(await doneBy(200)).toEqual([5]);
  const over = stop();
  expect(await isPending(over)).toBe(true);
  run.resolve(null);
  await over;
  expect(await doneBy(400)).toEqual([]);
});

test('work that is asked for while it runs is done once more, for all who asked, even if it fails', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const ask = oneAtATime(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const outcomes: string[] = [];
  const asked = (name: string) =>
    ask().then(
      () => outcomes.push(`${name} done`),
      () => outcomes.push(`${name} failed`),
    );
  const all = [asked('first'), asked('second'), asked('third')];
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('away'));
  await all[0];
  await new Promise(setImmediate);
  expect([runs.length, outcomes]).toEqual([2, ['first failed']]);
  const last = asked('last');
  runs[1]?.resolve();
  await Promise.all(all);
  expect(outcomes).toEqual(['first failed', 'second done', 'third done']);
  await new Promise(setImmediate);
  runs[2]?.resolve();
  await last;
  expect([runs.length, outcomes.at(-1)]).toEqual([3, 'last done']);
});
