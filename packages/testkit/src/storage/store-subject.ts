import { afterEach, beforeEach, expect } from 'bun:test';
import {
  AppError,
  type CommitReport,
  type ErrorCode,
  type ItemRecord,
  type NewItem,
  type Store,
} from '../../../../apps/api/src/for-tests.ts';
import { newItem, newUser, testAudit } from './store-records.ts';
import { deleteItem, insertHub, insertItem, insertUser } from './store-writes.ts';

/** A store under test, with details that the port does not expose but every adapter must keep. */
export interface StoreUnderTest {
  store: Store;
  /** All items in a Hub, in the order of their sequence numbers. */
  itemsOf(hubId: string): Promise<{ id: string; kind: string; seq: number; keyId: string | null }[]>;
  /** All events in a Hub, in the order of their sequence numbers. */
  eventsOf(hubId: string): Promise<{ seq: number; event: string; itemId: string | null }[]>;
  /** Closes the store and opens it again on the same data, as after a restart. */
  reopen(): Promise<StoreUnderTest>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

/** Opens a new, empty store. */
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
    itemsOf: (hubId: string) => current().itemsOf(hubId),
    /** Closes the store and opens it again on the same data. */
    async reopen(): Promise<void> {
      subject = await current().reopen();
    },
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
 * Returns the error with which a promise rejects, or `null`. Bun's `expect().rejects` waits in a separate loop, in
 * which messages from a thread do not always arrive.
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

/** Opens a new store for each test, with a Hub whose members are Ada and Bob. Ada is the author. */
export function itemSubject(open: OpenStoreUnderTest) {
  const subject = storeSubject(open);
  const ids = { hubId: '', ada: '', bob: '' };
  beforeEach(async () => {
    ids.hubId = (await insertHub(subject.store)).id;
    ids.ada = (await insertUser(subject.store, newUser({}, [ids.hubId]))).id;
    ids.bob = (await insertUser(subject.store, newUser({ name: 'Bob Kahn' }, [ids.hubId]))).id;
  });
  const create = (over: Partial<NewItem> = {}) => insertItem(subject.store, newItem(ids.hubId, ids.ada, over));

  return {
    subject,
    ids,
    create,
    reply: (parent: ItemRecord, over: Partial<NewItem> = {}) => create({ kind: 'reply', parentId: parent.id, ...over }),
    find: async (id: string): Promise<ItemRecord> => {
      const found = await subject.store.items.find(id);
      if (!found) throw new Error(`${id} does not exist`);
      return found;
    },
    remove: (id: string, at = 200) => deleteItem(subject.store, id, at),
    events: async () => (await subject.eventsOf(ids.hubId)).map(({ event }) => event),
  };
}
