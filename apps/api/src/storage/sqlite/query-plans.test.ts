import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { perKind } from '@hub/contract';
import { pngOf } from '@hub/testkit/in-process/images';
import { openSqliteUnderTest, type SqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import * as records from '@hub/testkit/storage/store-records';
import * as write from '@hub/testkit/storage/store-writes';
import {
  DATABASE_FILE,
  FIRST_PRUNE_STEP,
  type KeyListing,
  type PruneStep,
  pruneStep,
  SearchIndex,
  SearchReader,
  type Store,
} from '../../for-tests.ts';
import type { SqliteStore } from './open-store.ts';

/** Calls every method of the store, with arguments that cover every statement. */
async function useEveryMethod({ store, dataDir }: SqliteUnderTest): Promise<void> {
  const hub = await write.insertHub(store);
  const key = await write.insertKey(store, records.newKey(hub.id));
  for (const kind of ['message', 'note', 'todo'] as const)
    await write.insertPost(store, records.newPost(key, { kind }));
  await write.updateHub(store, hub.id, { name: 'Deploys', deletedAt: null });
  await store.hubs.find(hub.id);
  await store.hubs.findByName(hub.normalizedName);
  await Promise.all([store.hubs.countContents(hub.id, 100), store.hubs.countMembers(hub.id, 100)]);
  await store.hubs.countKeys(hub.id, 1, 100);
  await store.hubs.countOlder(hub.id, 1, 100);
  const pages = [{ limit: 10 }, { limit: 10, before: 'x' }];
  for (const page of pages) {
    for (const filter of ['live', 'deleted', 'all'] as const) await store.hubs.list({ ...page, filter });
    for (const hubId of [undefined, hub.id]) await store.keys.list({ ...page, hubId });
  }
  await useMemberships(store, key);
  await useItems(store, hub.id);
  await store.keys.usageByDay([key.id], 0);
  await store.keys.addresses(key.id);
  await write.updateKey(store, key.id, { overlapEndsAt: 2 });
  await store.transaction(async ({ keys, notifications }) => {
    await keys.countActive(hub.id, 1);
    await keys.saveBlock({ keyId: key.id, until: 4 }, { at: 1, sinceBoot: null });
    await keys.countBlock(key.id, 1);
    await notifications.copyModes(key.id, key.id);
  });
  await store.keys.listBlocked();
  await write.addUsage(
    store,
    new Map([[key.id, { requestCount: 1, lastUsedAt: 1, lastUsedAddress: '', addresses: [] }]]),
  );
  await store.keys.findByTokenHash(new Uint8Array(32));
  await store.keys.find(key.id);
  await useUserStore(store);
  await useAvatars(store);
  await store.workspace.totals(0);
  await store.probe();
  await store.workspace.find();
  const changes = { name: 'W', botName: 'B', membersManageKeys: false, longestKeyLifetimeDays: 90 };
  await store.transaction(async ({ workspace, audit }) => {
    await workspace.findToChange();
    await workspace.update(changes);
    await audit.insert(records.testAudit());
  });
  await store.events.span(hub.id);
  await store.events.heads();
  await store.events.heads([hub.id]);
  await store.events.read(hub.id, 0, 10);
  await useNotifications(store, hub.id);
  await useRemovals(store, key);
  await usePrune(store);
  const { id: ada } = await write.insertUser(store, records.newUser({}, [hub.id]));
  const edited = await write.insertItem(store, records.newItem(hub.id, ada, { body: 'Tally' }));
  using search = new SearchIndex({ dataDir, databaseFile: DATABASE_FILE });
  while (search.followRun());
  await write.updateItem(store, edited.id, { at: 3, userId: ada, changes: { body: 'Tally-ho' } });
  while (search.followRun());
  using reader = new SearchReader({ dataDir, databaseFile: DATABASE_FILE, monotonic: () => 0 });
  reader.find({ terms: [{ text: 'Tally', isPrefix: true }], hubIds: [hub.id], limit: 10 });
}

async function useAvatars(store: Store): Promise<void> {
  const { avatars } = store;
  const { id: hubId } = await write.insertHub(store);
  const { id: ownerId } = await write.insertUser(store, records.newUser({}, [hubId]));
  const avatar = { ownerId, version: 'v', type: 'image/png', bytes: pngOf({ width: 1, height: 1 }) } as const;
  await store.transaction(async ({ avatars: changed }) => {
    await changed.set(avatar);
    await changed.findVersion(ownerId);
  });
  for (const viewerId of [null, ownerId]) {
    await avatars.find({ ownerId, viewerId });
    for (const page of [{ limit: 10 }, { limit: 10, before: 'x' }]) await avatars.list({ ...page, viewerId });
  }
  await store.transaction((tx) => tx.avatars.delete(ownerId));
}

async function useRemovals(store: Store, { id: keyId, hubId }: KeyListing): Promise<void> {
  const range = { keyId, hubId, fromAt: 0, toAt: null };
  const globalSeqs = await store.removals.postGlobalSeqs(range);
  const removal = { ...range, id: records.testIds('rmv'), count: 0, removedAt: 5, undoneAt: null };
  const { id: removalId } = removal;
  await store.transaction(async ({ removals }) => {
    await removals.insert(removal);
    await removals.deletePosts({ removalId, keyId, at: 5 }, globalSeqs);
    await removals.restorePosts({ removalId, at: 6 }, 10);
    await removals.update(removalId, { undoneAt: 6 });
  });
  await store.removals.find(removalId);
  for (const page of [{ limit: 10 }, { limit: 10, before: 'x' }]) await store.removals.list({ ...page, keyId });
}

/** Runs every step of pruning, with something to erase in each. */
async function usePrune({ transaction }: Store): Promise<void> {
  const bounds = { now: Date.parse('2050-01-01'), limit: 2 };
  for (let step: PruneStep | null = FIRST_PRUNE_STEP; step !== null; ) {
    const current: PruneStep = step;
    step = (await transaction((tx) => pruneStep(tx, current, bounds))).next;
  }
}

async function useMemberships(store: Store, key: KeyListing): Promise<void> {
  const { memberships, hubs, keys, audit } = store;
  const { hubId } = key;
  const { id: userId } = await write.insertUser(store, records.newUser());
  const membership = await write.insertMember(store, hubId, userId);
  for (let n = 0; n < 2; n += 1) await write.insertPost(store, records.newPost(key));
  await memberships.countUnread({ ...membership, readGlobalSeqs: perKind(() => 0) }, 100);
  const { message: read } = membership.readSeqs;
  await write.markRead(store, { hubId, userId, seq: read + 1, kind: 'note' });
  await write.markRead(store, { hubId, userId, seq: read, kind: 'note', back: true });
  for (const seq of [read + 1, read + 2]) await write.markRead(store, { hubId, userId, seq });
  for (const page of [{ limit: 10 }, { limit: 10, before: 'x' }]) {
    await memberships.listMembers({ ...page, hubId });
    await keys.list({ ...page, memberId: userId });
    await keys.list({ ...page, issuerId: userId });
    for (const filter of ['live', 'deleted', 'all'] as const) await hubs.list({ ...page, filter, memberId: userId });
    for (const of of [undefined, hubId]) await audit.search({ ...page, hubId: of, actorId: userId });
    await audit.search({ ...page, targetId: hubId, actorKind: 'user', from: 1, to: 2 });
  }
  await memberships.listHubIds(userId);
  await memberships.find(hubId, userId);
  await write.deleteMember(store, hubId, userId);
}

async function useItems(store: Store, hubId: string): Promise<void> {
  const { items } = store;
  const { id: ada } = await write.insertUser(store, records.newUser({}, [hubId]));
  const message = await write.insertItem(store, records.newItem(hubId, ada, { body: '@Ada' }));
  const reply = await write.insertItem(store, records.newItem(hubId, ada, { kind: 'reply', parentId: message.id }));
  for (const body of ['@Ada again', 'Nobody']) {
    await write.updateItem(store, message.id, { at: 1, userId: ada, changes: { body } });
  }
  for (const isOn of [true, false]) await write.reactToItem(store, reply.id, { emoji: '👍', userId: ada, at: 1, isOn });
  const todo = records.newItem(hubId, ada, { kind: 'todo', title: 'T', assigneeId: ada, sourceId: message.id });
  await write.insertItem(store, todo);
  for (const id of [todo.id, todo.id, reply.id]) await write.deleteItem(store, id);
  for (const read of [items.find, items.findOrigin]) await read(message.id);
  await items.listByGlobalSeq([message.globalSeq], [hubId]);
  for (const range of [
    {},
    { before: message.id },
    { after: message.id },
    { before: 'msg_00000000EW0000000000000000' },
  ]) {
    for (const kinds of [['message'], ['message', 'note']] as const) {
      await items.list(records.itemQuery([hubId], { ...range, kinds, unreadBy: ada }));
    }
    await items.listReplies({ parentId: message.id, limit: 10, ...range });
    await items.listAssigned({ ...records.itemQuery([hubId], range), assigneeId: ada });
  }
  await items.countAssigned(ada);
  await items.listMentioning({ userId: ada, hubIds: [hubId], limit: 10 });
  for (const userId of [ada, null]) await items.listDeleted({ hubId, userId, since: 0, limit: 10 });
  await useMentions(store, { userId: ada, messageId: message.id, replyId: reply.id, hubId });
}

async function useMentions(
  { mentions, transaction }: Store,
  { userId, messageId, replyId, hubId }: Record<'userId' | 'messageId' | 'replyId' | 'hubId', string>,
): Promise<void> {
  await mentions.unreadIds({ userId, hubId, limit: 10 });
  await mentions.threadParticipants(replyId);
  await transaction(async (tx) => {
    await tx.mentions.setNamed({ userId, itemId: messageId, isNamed: true });
    await tx.mentions.findGlobalSeq({ userId, itemId: messageId });
    await tx.mentions.markRead({ userId, itemIds: [messageId] });
    await tx.mentions.markReadUpTo({ userId, globalSeq: 1 });
    await tx.mentions.markThreadRead({ userId, hubId, messageId, seq: 9 });
  });
}

/** Calls every method of the notification store. */
async function useNotifications(store: Store, hubId: string): Promise<void> {
  const { notifications } = store;
  const { id: userId } = await write.insertUser(store, records.newUser({}, [hubId]));
  const session = records.newSession(userId);
  await write.insertSession(store, session);
  const { id: sessionId } = session.session;
  const keys = { p256dh: new Uint8Array(65), auth: new Uint8Array(16) };
  await store.transaction(async ({ notifications: changed }) => {
    await changed.changeChoices(userId, { replies: false });
    await changed.setMode(userId, { targetId: hubId, hubId, mode: 'every' });
    await changed.deleteMode(userId, hubId);
    const [endpoint, origin] = ['https://push.example.net/', 'https://hub.example.org'];
    await changed.setSubscription({ sessionId, userId, endpoint, origin, createdAt: 1, ...keys });
    await changed.insertIdentity({ publicKey: new Uint8Array(65), privateKey: new Uint8Array(32) });
  });
  await notifications.choices(userId);
  await notifications.modes(userId);
  await notifications.isMuted(userId, hubId);
  await notifications.wantingAllPosts([hubId]);
  await notifications.recipient({ userId, hubId, keyId: null });
  await notifications.subscriptions(userId, 0);
  await notifications.findSubscription(sessionId);
  notifications.countSubscriptions();
  await notifications.findIdentity();
  await store.transaction((tx) => tx.notifications.deleteSubscription(sessionId));
}

/** Calls every method of the user store, with arguments that cover every statement. */
async function useUserStore(store: Store): Promise<void> {
  const { users } = store;
  const user = await write.insertUser(store, records.newUser());
  const of = { userId: user.id };
  await Promise.all([users.find(user.id), users.findForSignIn(user.email), users.findPasswordHash(user.id)]);
  await users.findByName(records.named('Grace'), null);
  await users.hasOwner();
  for (const page of [{ limit: 10 }, { limit: 10, before: 'x' }]) {
    await users.list(page);
    await users.listSessions({ ...page, ...of, now: 0 });
    await users.listTokens({ ...page, ...of });
    await users.listInvitations({ ...page, now: 0 });
  }

  const [{ session, ...hashed }, { token, tokenHash }] = [records.newSession(user.id), records.newToken(user.id)];
  await write.insertSession(store, { session, ...hashed });
  await write.insertToken(store, { token, tokenHash });
  await users.passwordGivenAt(session.id);
  for (const kind of ['session', 'token'] as const) {
    await users.findCredential(tokenHash, kind);
    await users.findCredentialById(token.id, kind);
  }
  await store.transaction(async ({ users, sessions, tokens }) => {
    await users.lock([user.id]);
    await users.lockFree([user.id]);
    await sessions.find(session.id);
    await sessions.update(session.id, { lastUsedAt: 1, expiresAt: 2, address: '192.0.2.1', confirmedAt: 1 });
    await sessions.delete(session.id);
    await sessions.deleteByTokenHash(tokenHash);
    await sessions.deleteAllOf(user.id);
    await sessions.deleteExpired(0);
    await tokens.find(token.id);
    await tokens.countValid(user.id, 1);
    await tokens.update(token.id, { lastUsedAt: 1, lastUsedAddress: '192.0.2.1' });
    await tokens.delete(token.id);
    await tokens.deleteAllOf(user.id);
  });

  for (const link of [
    records.newLink('setup'),
    records.newInvitation('new@example.org'),
    records.newLink('password_reset', of),
  ]) {
    await write.insertLink(store, link);
    await users.findLink(link.tokenHash);
  }
  await store.transaction(async ({ links }) => {
    await links.find('lnk_none');
    await links.delete('lnk_none');
    await links.deleteMatching({ kind: 'setup' });
    await links.deleteMatching({ kind: 'invitation', email: 'new@example.org' });
    await links.deleteMatching({ kind: 'password_reset', ...of });
    await links.deleteCreatedBy(user.id);
    await links.deleteExpired(0);
  });
  await write.updateUser(store, user.id, { ...records.named('Grace'), role: 'admin', passwordHash: 'new' });
  await store.transaction(async ({ users }) =>
    users.seen((await users.findByName(records.named('Grace'), null))?.id ?? '', 1),
  );
  await write.updateUser(store, user.id, { disabledAt: 1 });
}

/** Tables that grow with use: a full scan of one would block every request. */
const GROWING = [
  ...['items', 'events', 'api_keys', 'audit_entries', 'hubs', 'users', 'avatars'],
  ...['sessions', 'personal_tokens', 'links', 'memberships', 'key_days', 'mentions'],
  ...['reactions', 'removals', 'touched_items', 'notification_settings', 'notification_modes', 'push_subscriptions'],
];

/** All other prepared statements are transactions, pragmas or migrations. */
const READS_OR_WRITES = /^\s*(select|insert|update|delete|with)\b/i;
/**
 * Statements that are not checked: look-ups in the tables of the search index, and statements by SQLite and the
 * migrations.
 */
const OTHER_STATEMENTS = /\bitems_search\b|\bposition\b|\bsqlite_schema\b|__drizzle_migrations/;
/** Methods that run no statement. */
const NO_STATEMENTS = /^(sizes|waitingWrites|close|backups\..*)$/;

/** The exceptions, each with its reason. */
const ALLOWED: { plan: RegExp; sql: RegExp; reason: string }[] = [
  {
    plan: /^SCAN hubs$/,
    sql: /^select "id", "seq" from "hubs"$/,
    reason: 'Once at the start, to find the newest events. Hubs are created by hand.',
  },
  {
    plan: /^SCAN push_subscriptions USING COVERING INDEX \w+$/,
    sql: /^select count\(\*\) from "push_subscriptions"$/,
    reason: 'When the metrics are read: there is one row per browser in use.',
  },
  {
    plan: /^SCAN api_keys$/,
    sql: /^select count\(\*\) from "api_keys"/,
    reason: 'The status page counts the keys that can post now: for one user at a time, 10 ms at 100,000 keys.',
  },
  {
    plan: /^SCAN hubs$/,
    sql: /^select sum\("item_count"\) from "hubs"/,
    reason: 'The status page adds up the item count of each Hub; Hubs are created by hand.',
  },
  {
    plan: /^SCAN hubs USING INDEX hubs_live$/,
    sql: /^select count\(\*\) from "hubs"/,
    reason: 'The status page counts the Hubs, which are created by hand.',
  },
  {
    plan: /^SCAN users USING INDEX users_owners$/,
    sql: /^select "id" from "users" where \("users"."role" = 'owner' and .* order by "users"."id" limit \?$/,
    reason: 'The index contains only owners, and the first one is enough.',
  },
  {
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    sql: /select key\.id from memberships mine/,
    reason: "The newest keys of each of a user's Hubs, as many as the page has: 4 ms for 300 Hubs with 100 keys each.",
  },
  {
    plan: /^SCAN touched_items$/,
    sql: /\(select id, at from touched_items order by id\s+limit \?\)/,
    reason: 'Reads the oldest rows in table order, as many as one step erases.',
  },
  {
    plan: /^USE TEMP B-TREE FOR GROUP BY$/,
    sql: /"api_keys"."counted_global_seq"\) group by "api_keys"."id", "items"."created_at" \/ 86400000$/,
    reason: 'Once at the start, over posts not counted yet: those of a few seconds.',
  },
  {
    plan: /^USE TEMP B-TREE FOR (?:GROUP BY|ORDER BY|string_agg\(ORDER BY\))$/,
    sql: /group by author_id order by max\(place\) desc limit 3/,
    reason: 'The newest repliers: among at most thirty replies, and most messages have none.',
  },
  {
    plan: /^USE TEMP B-TREE FOR string_agg\(ORDER BY\)$/,
    sql: /\(select string_agg\(user_id [^)]* order by at, user_id\)\s+from reactions where item_id = "items"."id"\)/,
    reason: 'The reactions to one message, by time: there are few, and most messages have none.',
  },
  {
    plan: /^USE TEMP B-TREE FOR GROUP BY$/,
    sql: /order by global_seq desc limit 5000\) as newest\s+where newest.status = 'open' group by newest.hub_number$/,
    reason: "A user's open to-dos by Hub, among at most 5,000.",
  },
];

describe('query plans', () => {
  let subject: SqliteUnderTest;
  let statements: string[];
  let notCalled: string[];
  let plans: { sql: string; step: string }[];

  beforeAll(async () => {
    const seen = new Set<string>();
    const spies = (['prepare', 'query'] as const).map((method) => spyOn(Database.prototype, method));
    subject = openSqliteUnderTest();
    const watched = watchCalls(subject.store);
    await useEveryMethod({ ...subject, store: watched.store });
    notCalled = watched.notCalled();
    for (const spy of spies) {
      for (const [sql] of spy.mock.calls) seen.add(sql);
      spy.mockRestore();
    }
    statements = [...seen].filter((sql) => READS_OR_WRITES.test(sql) && !OTHER_STATEMENTS.test(sql));
    plans = statements.flatMap((sql) =>
      subject.database
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => ({ sql, step: detail })),
    );
  });
  afterAll(() => subject.dispose());

  const isCostly = (step: string): boolean =>
    GROWING.some((table) => new RegExp(`^SCAN ${table}\\b`).test(step)) || step.startsWith('USE TEMP B-TREE');

  test('cover every method of the store', () => {
    expect(notCalled).toEqual([]);
    expect(statements.length).toBeGreaterThanOrEqual(150);
    for (const table of [...GROWING, 'workspace']) {
      expect(statements.some((sql) => sql.includes(`"${table}"`))).toBe(true);
    }
  });

  test('neither scan nor sort a growing table, with a few justified exceptions', () => {
    const rejected = plans.filter(
      ({ sql, step }) => isCostly(step) && !ALLOWED.some((entry) => entry.plan.test(step) && entry.sql.test(sql)),
    );
    expect(rejected).toEqual([]);
  });

  test('read the lists of a Hub from their index, in index order', () => {
    const steps = plans.filter(({ sql, step }) => /reply_count"? > 0/.test(sql) && /\bitems?\b ./.test(step));
    // The index finds the first row of each merged list, and each following one, which is then read by its global sequence number.
    const ofMerged = steps.filter(({ sql }) => sql.includes('json_each'));
    const byGlobalSeq = ofMerged.filter(({ step }) => step.includes('INTEGER PRIMARY KEY'));
    expect([ofMerged.length, byGlobalSeq.length]).toEqual([10, 6]);
    expect(steps.length).toBeGreaterThanOrEqual(14);
    for (const { step } of steps.filter((each) => !byGlobalSeq.includes(each))) {
      expect(step).toMatch(/^SEARCH items? USING (COVERING )?INDEX items_by_hub \(hub_number=\? AND kind=\?/);
    }
  });
});

/** Wraps the store, and lists the names of its methods that were not called. */
function watchCalls(store: SqliteStore): { store: SqliteStore; notCalled: () => string[] } {
  const notCalled = new Set<string>();
  const watch = <Part extends object>(part: Part, path: string): Part => {
    const entries = Object.entries(part).map(([name, value]: [string, unknown]) => {
      const full = `${path}${name}`;
      if (typeof value !== 'function')
        return [name, typeof value === 'object' && value !== null ? watch(value, `${full}.`) : value];
      notCalled.add(full);
      const called = (...args: unknown[]): unknown => {
        notCalled.delete(full);
        return value(...args);
      };
      return [name, called];
    });
    return Object.fromEntries(entries) as Part;
  };
  const isExempt = (name: string): boolean => NO_STATEMENTS.test(name);
  return { store: watch(store, ''), notCalled: () => [...notCalled].filter((name) => !isExempt(name)) };
}
