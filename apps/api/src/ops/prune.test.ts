import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Item, Message, Removal } from '@hub/contract';
import { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
import { recordsOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import {
  onlyOnPostgres,
  onlyOnSqlite,
  startAfterKill,
  startTestHub,
  type TestHub,
} from '@hub/testkit/in-process/test-hub';
import { newPost } from '@hub/testkit/storage/store-records';
import { inGroups, insertItem, insertPost } from '@hub/testkit/storage/store-writes';
import { SQL } from 'bun';
import type { Store } from '../storage/store.ts';
import { prune } from './prune.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let hub: TestHub;
let team: Team;

beforeEach(async () => {
  hub = await startTestHub();
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});
afterEach(() => hub[Symbol.asyncDispose]());

const days = (count: number): void => hub.clock.advance(count * DAY_MS);
const setRetention = (retentionDays: number | null, hubId = team.hubId) =>
  hub.admin.raw('PATCH', `/hubs/${hubId}`, { retentionDays });
const itemCount = async () => (await hub.store.workspace.totals(0)).items;
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const isKept = async ({ id }: { id: string }) => (await hub.store.items.find(id)) !== null;
/** Returns the number of rows of each table. */
const rows = async (...tables: string[]): Promise<number[]> => {
  const counts = tables.map((table) => hub.query<{ n: number | string }>(`SELECT count(*) AS n FROM ${table}`));
  return (await Promise.all(counts)).map(([row]) => Number(row?.n));
};

describe('pruning events', () => {
  test('deletes events older than seven days', async () => {
    await team.message(team.ada, 'one');
    await team.message(team.ada, 'two');
    const seq = await team.seq();
    days(7);
    await team.message(team.ada, 'three');
    await prune(hub.deps);
    expect(await hub.store.events.span(team.hubId)).toMatchObject({ oldest: 1, seq: seq + 1 });
    hub.clock.advance(1);
    await prune(hub.deps);
    expect(await hub.store.events.span(team.hubId)).toMatchObject({ oldest: seq + 1, seq: seq + 1 });
    expect((await recordsOf(hub, team.hubId)).map(({ event }) => event)).toEqual(['message.created']);
  });

  test('keeps the newest event of a Hub, so that its sequence numbers continue', async () => {
    await team.message(team.ada, 'one');
    const seq = await team.seq();
    days(100);
    await prune(hub.deps);
    await prune(hub.deps);
    expect(await hub.store.events.span(team.hubId)).toMatchObject({ oldest: seq, seq });
  });

  test('deletes thousands of events, in every Hub', async () => {
    const { id: hubId } = await hub.admin.createHub();
    const { id: keyId } = await hub.admin.issueKey({ hubId });
    await Promise.all(Array.from({ length: 1_300 }, () => insertPost(hub.store, newPost({ hubId, id: keyId }))));
    days(8);
    await prune(hub.deps);
    expect(await hub.store.events.span(hubId)).toMatchObject({ oldest: 1_300, seq: 1_300 });
    expect(await recordsOf(hub, team.hubId)).toHaveLength(1);
    expect((await hub.admin.showKey(keyId)).postCount).toBe(1_300);
  });
});

describe('pruning by the retention of a Hub', () => {
  test('deletes older items and publishes one event', async () => {
    const old = await team.message(team.ada, 'old');
    const note = await team.note(team.ada, { content: 'old' });
    const todo = await team.todo(team.ada, { title: 'old' });
    days(3);
    const young = await team.message(team.ada, 'young');
    await setRetention(3);
    hub.clock.advance(1);
    const seq = await team.seq();
    await prune(hub.deps);
    expect(await Promise.all([old, note, todo].map(isKept))).toEqual([false, false, false]);
    expect(ids((await team.messages()).items)).toEqual([young.id]);
    expect(await recordsOf(hub, team.hubId, seq)).toMatchObject([
      { event: 'items.pruned', itemId: null, data: { before: '2026-03-01T09:30:00.001Z' } },
    ]);
    expect(await itemCount()).toBe(1);
    await prune(hub.deps);
    expect(await team.seq()).toBe(seq + 1);
  });

  test('deletes replies (of any age), reactions and mentions together with their message', async () => {
    const old = await team.message(team.ada, 'old, @Bob Kahn');
    await team.ada.json('PUT', `/messages/${old.id}/reactions/👍`);
    days(3);
    const reply = await team.reply(team.bob, old, 'young, @Ada Lovelace');
    await team.bob.json('PUT', `/messages/${reply.id}/reactions/👍`);
    expect(await rows('reactions', 'mentions')).toEqual([2, 2]);
    await setRetention(2);
    await prune(hub.deps);
    expect(await isKept(reply)).toBe(false);
    expect(await rows('items', 'reactions', 'mentions')).toEqual([0, 0, 0]);
    expect(await itemCount()).toBe(0);
  });

  test('publishes an event for each deleted reply within the retention period', async () => {
    const old = await team.message(team.ada, 'old');
    await team.reply(team.bob, old, 'an old reply');
    const gone = await team.reply(team.bob, old, 'taken back');
    days(3);
    const young = await team.reply(team.bob, old, 'a young reply');
    await team.bob.json('DELETE', `/messages/${gone.id}`);
    await setRetention(2);
    const seq = await team.seq();
    await prune(hub.deps);
    expect(await recordsOf(hub, team.hubId, seq)).toMatchObject([
      { event: 'message.deleted', itemId: young.id, item: null },
      { event: 'items.pruned', itemId: null },
    ]);
    expect(await itemCount()).toBe(0);
  });

  test('deletes a thread that is too long for one step', async () => {
    const old = await team.message(team.ada, 'old');
    const { id: authorId } = team.bob.user;
    const record = await hub.store.items.find(old.id);
    if (!record) throw new Error('The message is gone');
    days(3);
    const reply = () => ({ ...record, id: hub.deps.newId('msg'), kind: 'reply' as const, parentId: old.id, authorId });
    await inGroups(1_200, () => insertItem(hub.store, reply()));
    await setRetention(2);
    await prune(hub.deps);
    expect(await rows('items')).toEqual([0]);
    expect(await itemCount()).toBe(0);
  });

  test('does not affect other Hubs, or Hubs without a retention period', async () => {
    const other = await teamOn(hub, ['Carol Shaw', 'Dan Ingalls']);
    const kept = await other.message(other.ada, 'kept');
    const old = await team.message(team.ada, 'old');
    days(20);
    await setRetention(10);
    await prune(hub.deps);
    expect(await Promise.all([kept, old].map(isKept))).toEqual([true, false]);
    expect((await recordsOf(hub, other.hubId)).map(({ event }) => event)).not.toContain('items.pruned');
  });

  test('removes items from search and keeps the counters of keys', async () => {
    await team.post('messages', { text: 'a heron' });
    await team.message(team.ada, 'a heron');
    const found = async () => (await hub.admin.raw('GET', '/search?q=heron')).json() as Promise<{ items: Item[] }>;
    expect((await found()).items).toHaveLength(2);
    days(3);
    await setRetention(2);
    await prune(hub.deps);
    expect((await found()).items).toEqual([]);
    expect((await hub.admin.showKey(team.keyId)).postCount).toBe(1);
    // Opened as after a kill, when posts that had only been counted in memory are counted again.
    await using again = await startAfterKill(hub);
    expect((await again.store.keys.find(team.keyId))?.postCount).toBe(1);
  });

  test('erases items that were already deleted, without waiting for the thirty days', async () => {
    const old = await team.message(team.ada, 'old');
    await team.ada.json('DELETE', `/messages/${old.id}`);
    days(3);
    await setRetention(2);
    await prune(hub.deps);
    expect(await isKept(old)).toBe(false);
    expect(await itemCount()).toBe(0);
  });
});

describe('pruning deleted items', () => {
  test('deletes them permanently after thirty days, without an event', async () => {
    const message = await team.message(team.ada, 'gone, @Bob Kahn');
    await team.ada.json('PUT', `/messages/${message.id}/reactions/👍`);
    await team.ada.json('DELETE', `/messages/${message.id}`);
    const kept = await team.message(team.ada, 'kept');
    const seq = await team.seq();
    days(30);
    await prune(hub.deps);
    expect(await isKept(message)).toBe(true);
    hub.clock.advance(1);
    await prune(hub.deps);
    expect(await isKept(message)).toBe(false);
    expect(await isKept(kept)).toBe(true);
    expect(await rows('items', 'reactions', 'mentions')).toEqual([1, 0, 0]);
    expect(await team.seq()).toBe(seq);
    expect(await itemCount()).toBe(1);
  });

  test('keeps an empty placeholder for a message with a thread', async () => {
    const message = await team.post<Message>('messages', { text: 'a secret that leaked' });
    const reply = await team.reply(team.ada, message, 'please remove it');
    await hub.admin.raw('POST', `/keys/${team.keyId}/removals`);
    days(31);
    await prune(hub.deps);
    const stored = await hub.query('SELECT body, address, request_id FROM items WHERE id = $1', message.id);
    expect(stored).toEqual([{ body: null, address: null, request_id: null }]);
    expect(await isKept(reply)).toBe(true);
    expect(await prune(hub.deps)).toBe(0);
  });

  test('still lets a removal be undone after exactly thirty days', async () => {
    await team.post('messages', { text: 'removed' });
    const response = await hub.admin.raw('POST', `/keys/${team.keyId}/removals`);
    const removal = (await response.json()) as Removal;
    days(30);
    await prune(hub.deps);
    expect(await rows('items')).toEqual([1]);
    expect((await hub.admin.raw('DELETE', `/keys/${team.keyId}/removals/${removal.id}`)).status).toBe(200);
    expect(await itemCount()).toBe(1);
  });

  test('handles thousands of items deleted at the same instant', async () => {
    const of = { hubId: team.hubId, id: team.keyId };
    await Promise.all(Array.from({ length: 1_700 }, () => insertPost(hub.store, newPost(of))));
    await hub.admin.raw('POST', `/keys/${team.keyId}/removals`);
    days(31);
    await prune(hub.deps);
    expect(await rows('items')).toEqual([0]);
  });
});

onlyOnSqlite('the index is part of the database').test(
  'pruning deletes search index records older than seven days',
  async () => {
    const message = await team.message(team.ada, 'one');
    await team.ada.json('PATCH', `/messages/${message.id}`, { text: 'two' });
    expect(await rows('touched_items')).toEqual([1]);
    days(7);
    await prune(hub.deps);
    expect(await rows('touched_items')).toEqual([1]);
    hub.clock.advance(1);
    await prune(hub.deps);
    expect(await rows('touched_items')).toEqual([0]);
  },
);

test('pruning deletes expired sessions', async () => {
  days(7);
  await prune(hub.deps);
  expect(await rows('sessions')).toEqual([2]);
  days(60);
  await prune(hub.deps);
  expect(await rows('sessions')).toEqual([0]);
});

const storeWith = (transaction: Store['transaction']) => ({ transaction });

test('pruning pauses after each small step, even without deletions, so that posts can proceed', async () => {
  const of = { hubId: team.hubId, id: team.keyId };
  await Promise.all(Array.from({ length: 4_500 }, () => insertPost(hub.store, newPost(of))));
  await setRetention(10);
  const steps: number[] = [];
  const store = storeWith(async (work) => {
    const done = await hub.store.transaction(work);
    const step = done as { erased: number } | undefined;
    if (step) steps.push(step.erased);
    return done;
  });
  const rests: number[] = [];
  const clock = {
    now: () => hub.clock.now(),
    monotonic: () => 0,
    sinceBoot: () => null,
    sleep: async (ms: number) => void rests.push(ms),
  };
  await prune({ store, clock }, { restMs: 20 });
  expect(steps.every((erased) => erased === 0)).toBe(true);
  expect(steps.length).toBeGreaterThan(6);
  expect(rests).toEqual(Array.from({ length: steps.length - 1 }, () => 20));

  days(11);
  steps.length = 0;
  await prune({ store, clock }, { restMs: 20 });
  expect(await rows('items')).toEqual([0]);
  expect(Math.max(...steps)).toBeLessThanOrEqual(50);
});

test('pruning pauses twice as long as a step took, so that posts get their share of a slow disk', async () => {
  const rests: number[] = [];
  let monotonic = 0;
  const clock = {
    now: () => hub.clock.now(),
    monotonic: () => monotonic,
    sinceBoot: () => null,
    sleep: async (ms: number) => void rests.push(ms),
  };
  const pruneIn = (ms: number) => {
    const store = storeWith((work) => {
      monotonic += ms;
      return hub.store.transaction(work);
    });
    return prune({ store, clock }, { restMs: 20 });
  };
  await pruneIn(5);
  expect(new Set(rests.splice(0))).toEqual(new Set([20]));
  await pruneIn(40);
  expect(new Set(rests)).toEqual(new Set([80]));
});

onlyOnPostgres.test('pruning keeps an item that is restored in the same moment', async () => {
  const databaseUrl = await createDatabase();
  await using other = await startTestHub({ databaseUrl });
  const own = await teamOn(other, ['Ada Lovelace', 'Bob Kahn']);
  const restored = await own.message(own.ada, 'restored');
  const deleted = await own.message(own.ada, 'deleted');
  for (const { id } of [restored, deleted]) await own.ada.json('DELETE', `/messages/${id}`);
  other.clock.advance(31 * DAY_MS);
  const sql = new SQL(databaseUrl, { max: 2 });
  const pruning = await sql.begin(async (undo) => {
    await undo`update items set deleted_at = null where id = ${restored.id}`;
    let isOver = false;
    const running = prune(other.deps).finally(() => {
      isOver = true;
    });
    const isWaiting = async () =>
      (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        .length > 0;
    while (!isOver && !(await isWaiting()));
    return { running };
  });
  await pruning.running;
  const isLeft = async ({ id }: { id: string }) => (await other.store.items.find(id)) !== null;
  expect(await Promise.all([restored, deleted].map(isLeft))).toEqual([true, false]);
  await sql.close();
});
