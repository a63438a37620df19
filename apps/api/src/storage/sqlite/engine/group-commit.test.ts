import { describe, expect, test } from 'bun:test';
import { openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { failure } from '@hub/testkit/storage/store-subject';
import { insertHub } from '@hub/testkit/storage/store-writes';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { CommitReport } from '../../commit-report.ts';
import type { Connection } from '../../engine/connection.ts';
import { build, query } from '../../engine/query.ts';
import { workspace } from '../../schema/workspace.table.ts';
import { type BatchReport, GroupCommit } from './group-commit.ts';
import { TransactionSession, type Transactions } from './transaction.ts';

/** A transaction that records its calls, and fails when a test asks it to. */
class FakeTransaction implements Transactions {
  readonly calls: string[] = [];
  readonly problems = new Map<string, Error>();
  #isOpen = false;

  begin(): void {
    if (this.#isOpen) throw new Error('cannot start a transaction within a transaction');
    this.#call('begin');
    this.#isOpen = true;
  }
  commit(): void {
    this.#call('commit');
    this.#isOpen = false;
  }
  rollback(): void {
    this.#call('rollback');
    this.#isOpen = false;
  }
  isOpen(): boolean {
    return this.#isOpen;
  }
  isStorageError(error: unknown): boolean {
    return error instanceof Error && error.message.startsWith('disk');
  }
  isLocked(error: unknown): boolean {
    return error instanceof Error && error.message === 'locked';
  }
  #call(name: string): void {
    this.calls.push(name);
    const problem = this.problems.get(name);
    if (problem) throw problem;
  }
}

const ANY_QUERY = query(() => build.update(workspace).set({ name: 'x' }));
const FAKE_CONNECTION: Connection = {
  first: () => undefined,
  lock: () => undefined,
  lockAll: () => [],
  lockName: () => {},
  hold: () => undefined,
  all: () => [],
  run: () => 1,
};

function setUp(options: { maxBatch?: number; maxWaiting?: number } = {}) {
  const clock = new TestClock();
  const transaction = new FakeTransaction();
  const reports: BatchReport[] = [];
  const session = new TransactionSession(FAKE_CONNECTION, (on) => ({
    write: async () => void (await on.run(ANY_QUERY)),
  }));
  const writer = new GroupCommit({
    transaction,
    session,
    clock,
    onBatch: (report) => reports.push(report),
    ...options,
  });
  return { clock, transaction, reports, writer };
}

const failing = (message: string) => async (tx: { write: () => Promise<void> }) => {
  await tx.write();
  throw new Error(message);
};

describe('group commit', () => {
  test('rolls back the batch when a write fails, and runs it again without that write', async () => {
    const { transaction, reports, writer } = setUp();
    const write = (n: number) => writer.submit(async () => transaction.calls.push(`write ${n}`));
    const first = write(1);
    const fails = writer.submit(failing('no')).catch(() => transaction.calls.push('rejected'));
    await Promise.all([first, write(3), fails]);
    expect(transaction.calls).toEqual(
      ['begin', 'write 1', 'rollback'].concat('begin', 'write 1', 'write 3', 'commit', 'rejected'),
    );
    expect(reports).toEqual([{ writes: 2, commitMs: 0, failed: false }]);
  });

  test('settles no write before the commit has returned', async () => {
    const { transaction, writer } = setUp();
    const responded = writer.submit(async () => 1).then(() => transaction.calls.push('resolved'));
    const rejected = writer.submit(failing('no')).catch(() => transaction.calls.push('rejected'));
    await Promise.all([responded, rejected]);
    expect(transaction.calls.slice(-3)).toEqual(['commit', 'resolved', 'rejected']);
  });

  test('rejects the whole batch as unavailable when it cannot begin, and commits the next one', async () => {
    const { transaction, reports, writer } = setUp();
    const problem = new Error('disk I/O error');
    transaction.problems.set('begin', problem);
    const outcomes = await Promise.allSettled([
      writer.submit(async () => 1),
      writer.submit(async () => 2),
      writer.submit(async () => 3),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(transaction.calls.at(-1)).toBe('rollback');
    expect(reports).toEqual([{ writes: 3, commitMs: 0, failed: true, cause: problem }]);

    transaction.problems.clear();
    expect(await writer.submit(async () => 4)).toBe(4);
  });

  test('commits a single write in the same turn of the event loop, without a timer', async () => {
    const { transaction, writer } = setUp();
    const submitted = writer.submit(async () => 1);
    // Immediates run in the order in which they were set, and before any timer of a later turn.
    await new Promise(setImmediate);
    expect(transaction.calls.at(-1)).toBe('commit');
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

test('a commit reports the newest event of each Hub, without those of writes that failed', async () => {
  const commits: CommitReport[] = [];
  const subject = openSqliteUnderTest(undefined, { onCommit: (report) => commits.push(report) });
  const { store } = subject;
  const [one, two] = [await insertHub(store), await insertHub(store)];
  const rename = (hubId: string, name: string, isFailing = false) =>
    store.transaction(async ({ hubs, events }) => {
      await hubs.update(hubId, { name });
      const hub = await events.append({ hubId, at: 1, event: 'hub.changed', itemId: null, data: { name } });
      if (isFailing) throw new Error('fails after the event');
      return hub;
    });
  const failing = (hubId: string, name: string) => failure(rename(hubId, name, true));
  commits.length = 0;

  const [first, , , second] = await Promise.all([
    rename(one.id, 'A'),
    failing(one.id, 'B'),
    failing(two.id, 'C'),
    rename(one.id, 'D'),
  ]);
  expect(second?.seq).toBe((first?.seq ?? 0) + 1);
  expect(commits.map(({ heads }) => [...heads])).toEqual([[[one.id, second?.seq ?? 0]]]);

  const [, third] = await Promise.all([rename(two.id, 'E'), failing(two.id, 'F')]);
  expect(third).toBeInstanceOf(Error);
  const head = await store.hubs.find(two.id);
  expect([...(commits[1]?.heads ?? [])]).toEqual([[two.id, head?.seq ?? 0]]);
  await subject.dispose();
});
