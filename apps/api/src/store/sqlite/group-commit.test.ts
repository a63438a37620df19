import { describe, expect, test } from 'bun:test';
import { StoreUnavailable } from '../../errors.ts';
import { type BatchReport, GroupCommit, type Transaction } from './group-commit.ts';

/** Notes what is asked of it, and fails where a test says so. */
class FakeTransaction implements Transaction {
  readonly calls: string[] = [];
  readonly problems = new Map<string, Error>();
  #isOpen = false;

  begin(): void {
    if (this.#isOpen) throw new Error('cannot start a transaction within a transaction');
    this.#call('begin');
    this.#isOpen = true;
  }
  savepoint(): void {
    this.#call('savepoint');
  }
  release(): void {
    this.#call('release');
  }
  rollbackToSavepoint(): void {
    this.#call('rollbackToSavepoint');
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
  /** What SQLite does to a transaction on some faults, a full disk among them. */
  giveUp(): void {
    this.#isOpen = false;
  }
  #call(name: string): void {
    this.calls.push(name);
    const problem = this.problems.get(name);
    if (problem) throw problem;
  }
}

function setUp(options: { maxBatch?: number; maxWaiting?: number } = {}) {
  const transaction = new FakeTransaction();
  const reports: BatchReport[] = [];
  const writer = new GroupCommit({
    transaction,
    monotonic: () => 0,
    onBatch: (report) => reports.push(report),
    ...options,
  });
  return { transaction, reports, writer };
}

const failing = (message: string) => () => {
  throw new Error(message);
};

describe('group commit', () => {
  test('all writes that wait share one commit', async () => {
    const { transaction, reports, writer } = setUp();
    await Promise.all([writer.submit(() => 1), writer.submit(() => 2), writer.submit(() => 3)]);
    expect(transaction.calls.filter((call) => call === 'commit')).toHaveLength(1);
    expect(reports).toEqual([{ writes: 3, commitMs: 0, failed: false }]);
  });

  test('writes run in the order in which they came, and get their own result', async () => {
    const { transaction, writer } = setUp();
    const write = (n: number) => () => {
      transaction.calls.push(`write ${n}`);
      return n * 10;
    };
    expect(await Promise.all([writer.submit(write(1)), writer.submit(write(2))])).toEqual([10, 20]);
    expect(transaction.calls).toEqual(['begin', 'write 1', 'write 2', 'commit']);
  });

  test('when one write fails, the batch is undone and runs again, each write in a savepoint of its own', async () => {
    const { transaction, writer } = setUp();
    const first = writer.submit(() => transaction.calls.push('write 1'));
    const second = writer.submit(failing('no')).catch(() => 'refused');
    await Promise.all([first, second]);
    expect(transaction.calls).toEqual(
      ['begin', 'write 1', 'rollback', 'begin', 'savepoint', 'write 1', 'release', 'savepoint'].concat(
        'rollbackToSavepoint',
        'commit',
      ),
    );
  });

  test('no write is answered before the commit has returned', async () => {
    const { transaction, writer } = setUp();
    const responded = writer.submit(() => 1).then(() => transaction.calls.push('answered'));
    const rejected = writer.submit(failing('no')).catch(() => transaction.calls.push('refused'));
    await Promise.all([responded, rejected]);
    expect(transaction.calls.slice(-3)).toEqual(['commit', 'answered', 'refused']);
  });

  test('a write that throws is undone alone, and the others of its batch are committed', async () => {
    const { transaction, writer } = setUp();
    const [first, second, third] = await Promise.allSettled([
      writer.submit(() => 'first'),
      writer.submit(failing('a bug')),
      writer.submit(() => 'third'),
    ]);
    expect(first).toMatchObject({ value: 'first' });
    // A plain programming error comes back as it is: it is a 500, not a 503.
    expect(second).toMatchObject({ reason: new Error('a bug') });
    expect(third).toMatchObject({ value: 'third' });
    expect(transaction.calls.filter((call) => call === 'rollbackToSavepoint')).toHaveLength(1);
    expect(transaction.calls.at(-1)).toBe('commit');
  });

  test('a storage fault of one write is unavailability for that one', async () => {
    const { writer } = setUp();
    const [first, second] = await Promise.allSettled([writer.submit(failing('disk full')), writer.submit(() => 2)]);
    expect(first).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(second).toMatchObject({ value: 2 });
  });

  for (const step of ['begin', 'savepoint', 'commit']) {
    test(`when ${step} fails, every sender of the batch is told that nothing was stored, and the next batch works`, async () => {
      const { transaction, reports, writer } = setUp();
      const problem = new Error('disk I/O error');
      transaction.problems.set(step, problem);
      const outcomes = await Promise.allSettled([
        writer.submit(() => 1),
        writer.submit(failing('a bug')),
        writer.submit(() => 3),
      ]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
      expect(transaction.calls.at(-1)).toBe('rollback');
      expect(reports).toEqual([{ writes: 3, commitMs: 0, failed: true, cause: problem }]);

      transaction.problems.clear();
      expect(await writer.submit(() => 4)).toBe(4);
    });
  }

  test('when the database gives up the transaction within a write, the whole batch is lost and told so', async () => {
    const { transaction, writer } = setUp();
    const ran: number[] = [];
    const outcomes = await Promise.allSettled([
      writer.submit(() => ran.push(1)),
      writer.submit(() => {
        transaction.giveUp();
        throw new Error('disk full');
      }),
      writer.submit(() => ran.push(3)),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
    // The third would have run outside of any transaction, and committed by itself; the first was tried twice.
    expect(ran).toEqual([1, 1]);
    expect(transaction.calls).toContain('rollback');
    expect(await writer.submit(() => 4)).toBe(4);
  });

  test('a rollback that fails with its disk does not keep the next batch from beginning', async () => {
    const { transaction, writer } = setUp();
    transaction.problems.set('commit', new Error('disk I/O error'));
    transaction.problems.set('rollback', new Error('disk I/O error'));
    await expect(writer.submit(() => 1)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(transaction.isOpen()).toBe(true);
    transaction.problems.clear();
    expect(await writer.submit(() => 2)).toBe(2);
  });

  test('a lone write waits for no timer: it is committed in the same turn of the event loop', async () => {
    const { transaction, writer } = setUp();
    const submitted = writer.submit(() => 1);
    // Immediates run in the order in which they were set, and before any timer of a later turn.
    await new Promise(setImmediate);
    expect(transaction.calls.at(-1)).toBe('commit');
    await submitted;
  });

  test('a batch takes so many writes at most, and the rest go into the next at once', async () => {
    const { reports, writer } = setUp({ maxBatch: 2 });
    await Promise.all([1, 2, 3, 4, 5].map((n) => writer.submit(() => n)));
    expect(reports.map((report) => report.writes)).toEqual([2, 2, 1]);
  });

  test('over the bound of the queue a write is refused at once as unavailable, and there is room again later', async () => {
    const { writer } = setUp({ maxWaiting: 2 });
    const waiting = [writer.submit(() => 1), writer.submit(() => 2)];
    expect(writer.waiting).toBe(2);
    await expect(writer.submit(() => 3)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(await writer.submit(() => 4)).toBe(4);
  });

  test('a write that is submitted while a batch is answered joins the next one', async () => {
    const { reports, writer } = setUp();
    await writer.submit(() => 1).then(() => writer.submit(() => 2));
    expect(reports.map((report) => report.writes)).toEqual([1, 1]);
  });

  test('a write that returns a promise is refused and undone', async () => {
    const { transaction, writer } = setUp();
    const submitted = writer.submit(async () => {
      throw new Error('later');
    });
    await expect(submitted).rejects.toThrow('must be synchronous');
    expect(transaction.calls).toContain('rollbackToSavepoint');
  });

  test('idle resolves at once when nothing waits, and after the last batch when something does', async () => {
    const { reports, writer } = setUp({ maxBatch: 1 });
    await writer.idle();
    expect(reports).toHaveLength(0);
    for (const n of [1, 2, 3]) void writer.submit(() => n);
    await writer.idle();
    expect(reports).toHaveLength(3);
  });

  test('idle resolves also when the batches fail', async () => {
    const { transaction, writer } = setUp();
    transaction.problems.set('commit', new Error('disk full'));
    const submitted = writer.submit(() => 1);
    const [outcome] = await Promise.allSettled([submitted, writer.idle()]);
    expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
  });
});
