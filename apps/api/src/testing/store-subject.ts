import { afterEach, beforeEach, expect } from 'bun:test';
import { AppError, type ErrorCode } from '../errors.ts';
import type { CommitReport } from '../store/commit-report.ts';
import type { Store } from '../store/store.ts';
import type { StoreUnderTest } from '../store/store-contract.ts';
import { hubRecord, testAudit } from './store-records.ts';

export type OpenStoreUnderTest = (options: { onCommit: (report: CommitReport) => void }) => Promise<StoreUnderTest>;

/** A new store for each test of the describe block in which it is called. */
export function storeSubject(open: OpenStoreUnderTest) {
  let subject: StoreUnderTest | undefined;
  let commits: CommitReport[] = [];
  beforeEach(async () => {
    subject = await open({ onCommit: (report) => commits.push(report) });
    commits = [];
  });
  afterEach(() => subject?.dispose());
  const current = (): StoreUnderTest => {
    if (!subject) throw new Error('There is a store only while a test runs');
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
    /** Whether what `write` does lets live views be judged again. */
    async changesRights(write: () => Promise<unknown>): Promise<boolean> {
      commits = [];
      await write();
      return commits.some(({ isRightsChanged }) => isRightsChanged);
    },
    /** Whose unread items of a Hub are not as before by what `write` does. */
    async notifiedUnreadBy(write: () => Promise<unknown>) {
      commits = [];
      await write();
      return commits.flatMap(({ unreadChanges }) => unreadChanges);
    },
    async auditCount(): Promise<number> {
      return (await current().store.audit.list({ limit: 1_000 })).length;
    },
    /** An audit entry that cannot be written, since its id is taken: it comes last in every change. */
    async takenAudit() {
      const taken = testAudit();
      await current().store.hubs.create(hubRecord(), taken);
      return testAudit({ id: taken.id });
    },
  };
}

/** What a promise was rejected with, `null` if it was not: see `store-contract.ts` for why not `expect().rejects`. */
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
