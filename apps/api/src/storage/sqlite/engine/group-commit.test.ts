import { describe, expect, test } from 'bun:test';
import { failureOf } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { newKey, newPost } from '../../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../../test/store/under-test.ts';
import { insertHub, insertKey, insertPost } from '../../../../test/store/writes.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { CommitReport } from '../../commit-report.ts';
import type { Connection } from '../../engine/connection.ts';
import type { BatchReport } from '../../store.ts';
import { TransactionSession } from './connection.ts';
import { GroupCommit } from './group-commit.ts';

/** A writer over a transaction that records its calls, and cannot begin while there is a problem. */
function setUp(options: { maxWaiting?: number } = {}) {
  const state = { calls: [] as string[], reports: [] as BatchReport[], problem: null as Error | null };
  let isOpen = false;
  const step = (name: string, opens: boolean) => () => {
    state.calls.push(name);
    if (opens && state.problem) throw state.problem;
    isOpen = opens;
  };
  const writer = new GroupCommit({
    transaction: {
      begin: step('begin', true),
      commit: step('commit', false),
      rollback: step('rollback', false),
      isOpen: () => isOpen,
      isStorageError: (error) => error === state.problem,
      isLocked: () => false,
    },
    session: new TransactionSession({} as Connection, () => ({})),
    clock: new TestClock(),
    onBatch: (report) => state.reports.push(report),
    ...options,
  });
  return { state, writer };
}

/** How failed writes, full disks and locks end is shown on a real database, in `storage-error.test.ts` and above. */
describe('group commit', () => {
  test('settles no write before the commit has returned', async () => {
    const { state, writer } = setUp();
    const responded = writer.submit(async () => 1).then(() => state.calls.push('resolved'));
    const rejected = writer.submit(() => Promise.reject(new Error())).catch(() => state.calls.push('rejected'));
    await Promise.all([responded, rejected]);
    expect(state.calls).toEqual(['begin', 'commit', 'resolved', 'rejected']);
  });

  test('rejects the whole batch as unavailable when it cannot begin, and commits the next one', async () => {
    const { state, writer } = setUp();
    const problem = new Error('disk I/O error');
    state.problem = problem;
    const outcomes = await Promise.allSettled([1, 2, 3].map((n) => writer.submit(async () => n)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(state.reports).toEqual([{ writes: 3, commitMs: 0, failed: true, cause: problem }]);
    state.problem = null;
    expect(await writer.submit(async () => 4)).toBe(4);
  });

  test('commits a single write in the same turn of the event loop, without a timer', async () => {
    const { state, writer } = setUp();
    const submitted = writer.submit(async () => 1);
    // Immediates run in the order in which they were set, and before any timer of a later turn.
    await new Promise(setImmediate);
    expect(state.calls.at(-1)).toBe('commit');
    await submitted;
  });

  test('rejects a write as unavailable when the queue is full, and accepts writes again later', async () => {
    const { writer } = setUp({ maxWaiting: 2 });
    const waiting = [writer.submit(async () => 1), writer.submit(async () => 2)];
    expect(writer.waiting).toBe(2);
    await expect(writer.submit(async () => 3)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(await writer.submit(async () => 4)).toBe(4);
  });
});

test('work sees the posts before it in the same batch', async () => {
  const subject = openSqliteUnderTest();
  const hub = await insertHub(subject.store);
  const key = await insertKey(subject.store, newKey(hub.id));
  const posted = insertPost(subject.store, newPost(key));
  expect(await subject.store.transaction(({ hubs }) => hubs.find(hub.id))).toMatchObject({ seq: 1 });
  await posted;
  await subject.dispose();
});

test('a commit reports the newest event of each Hub, without those of writes that failed', async () => {
  const commits: CommitReport[] = [];
  const subject = openSqliteUnderTest(undefined, { onCommit: (report) => commits.push(report) });
  const { store } = subject;
  const [one, two] = [await insertHub(store), await insertHub(store)];
  const change = (hubId: string, isFailing = false) =>
    store.transaction(async ({ events }) => {
      const hub = await events.append({ hubId, at: 1, event: 'hub.changed', itemId: null, data: {} });
      if (isFailing) throw new Error('fails after the event');
      return hub;
    });
  const failing = (hubId: string) => failureOf(change(hubId, true));
  commits.length = 0;

  const [first, , , second] = await Promise.all([change(one.id), failing(one.id), failing(two.id), change(one.id)]);
  expect(second?.seq).toBe((first?.seq ?? 0) + 1);
  const [third] = await Promise.all([change(two.id), failing(two.id)]);
  const heads = [[[one.id, second?.seq ?? 0]], [[two.id, third?.seq ?? 0]]];
  expect(commits.map((commit) => [...commit.heads])).toEqual(heads as never);
  await subject.dispose();
});
