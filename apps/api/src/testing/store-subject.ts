import { afterEach, beforeEach, expect } from 'bun:test';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { CommitReport } from '../storage/commit-report.ts';
import type { Store } from '../storage/store.ts';
import type { StoreUnderTest } from '../storage/store-contract.ts';
import { testAudit } from './store-records.ts';

export type OpenStoreUnderTest = (options: { onCommit: (report: CommitReport) => void }) => Promise<StoreUnderTest>;

/** Opens a new store for each test of the enclosing describe block. */
export function storeSubject(open: OpenStoreUnderTest) {
  let subject: StoreUnderTest | undefined;
  let commits: CommitReport[] = [];
  beforeEach(async () => {
    subject = await open({ onCommit: (report) => commits.push(report) });
    commits = [];
  });
  afterEach(() => subject?.dispose());
  const current = (): StoreUnderTest => {
    if (!subject) throw new Error('The store is only available while a test runs');
    return subject;
  };

  return {
    get store(): Store {
      return current().store;
    },
    get users() {
      return current().store.users;
    },
    eventsOf: (hubId: string) => current().eventsOf(hubId),
    touchedRanks: () => current().touchedRanks(),
    /** Runs `write`, and returns whether it causes live connections to be authorized again. */
    async changesRights(write: () => Promise<unknown>): Promise<boolean> {
      commits = [];
      await write();
      return commits.some(({ isRightsChanged }) => isRightsChanged);
    },
    /** Runs `write`, and returns the users whose unread items it changed, with the Hubs. */
    async notifiedUnreadBy(write: () => Promise<unknown>) {
      commits = [];
      await write();
      return commits.flatMap(({ unreadChanges }) => unreadChanges);
    },
    async auditCount(): Promise<number> {
      return (await current().store.audit.search({ limit: 1_000 })).entries.length;
    },
    /** Returns an audit entry that cannot be written, since its id is taken. A change writes its audit entry last. */
    async unwritableAudit() {
      const taken = testAudit();
      await current().store.transaction(({ audit }) => audit.insert(taken));
      return testAudit({ id: taken.id });
    },
  };
}

/**
 * Returns the rejection of a promise, or `null`. `store-contract.ts` explains why tests do not use `expect().rejects`.
 */
export function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}

export async function rejectsWith(promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error = await failure(promise);
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe(code);
}
