import { expect, spyOn, test } from 'bun:test';
import type { Item, Message } from '@hub/contract';
import { isPending } from '@hub/testkit/concurrency';
import { perTest } from '@hub/testkit/in-process/shared';
import { recordsOf, startTeam, teamOn } from '@hub/testkit/in-process/team';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import { SQL } from 'bun';
import { holdNext } from '../../test/store/writes.ts';
import { pruneRegularly } from './prune.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const team = perTest(startTeam);

const days = (count: number): void => team.hub.clock.advance(count * DAY_MS);
const span = () => team.hub.store.events.span(team.hubId);
const setRetention = (retentionDays: number) => team.hub.admin.raw('PATCH', `/hubs/${team.hubId}`, { retentionDays });
const itemCount = async () => (await team.hub.store.workspace.totals(0)).items;
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const isKept = async ({ id }: { id: string }) => (await team.hub.store.items.find(id)) !== null;
/** Returns the number of rows of each table. */
const rows = async (...tables: string[]): Promise<number[]> => {
  const counts = tables.map((table) => team.hub.query<{ n: number | string }>(`SELECT count(*) AS n FROM ${table}`));
  return (await Promise.all(counts)).map(([row]) => Number(row?.n));
};

test('pruning deletes events older than seven days, but keeps the newest of a Hub, so that its sequence numbers continue', async () => {
  await team.message(team.ada, 'one');
  await team.message(team.ada, 'two');
  const seq = await team.seq();
  days(7);
  await team.message(team.ada, 'three');
  await team.hub.prune();
  expect(await span()).toMatchObject({ oldest: 1, seq: seq + 1 });
  team.hub.clock.advance(1);
  await team.hub.prune();
  expect(await span()).toMatchObject({ oldest: seq + 1, seq: seq + 1 });
  expect(await team.events()).toEqual(['message.created']);
  days(100);
  await team.hub.prune();
  expect(await span()).toMatchObject({ oldest: seq + 1, seq: seq + 1 });
});

test('pruning by the retention of a Hub deletes older items, also those that were already deleted, and publishes one event', async () => {
  const old = await team.message(team.ada, 'old');
  const gone = await team.message(team.ada, 'gone');
  await team.ada.json('DELETE', `/messages/${gone.id}`);
  const note = await team.note(team.ada, { content: 'old' });
  const todo = await team.todo(team.ada, { title: 'old' });
  days(3);
  const young = await team.message(team.ada, 'young');
  await setRetention(3);
  team.hub.clock.advance(1);
  const seq = await team.seq();
  await team.hub.prune();
  expect(await Promise.all([old, gone, note, todo].map(isKept))).toEqual(Array(4).fill(false));
  expect(ids((await team.messages()).items)).toEqual([young.id]);
  expect(await recordsOf(team.hub, team.hubId, seq)).toMatchObject([
    { event: 'items.pruned', itemId: null, data: { before: '2026-03-01T09:30:00.001Z' } },
  ]);
  expect(await itemCount()).toBe(1);
  await team.hub.prune();
  expect(await team.seq()).toBe(seq + 1);
});

test('pruning by the retention of a Hub deletes replies (of any age), reactions and mentions together with their message or note', async () => {
  const old = await team.message(team.ada, 'old, @Bob Kahn');
  await team.ada.json('PUT', `/messages/${old.id}/reactions/👍`);
  const oldNote = await team.note(team.ada, { content: 'old, too' });
  days(3);
  const reply = await team.reply(team.bob, old, 'young, @Ada Lovelace');
  // More than a step of pruning erases.
  for (let n = 0; n < 50; n += 1) await team.reply(team.bob, old, 'young');
  await team.bob.json('PUT', `/messages/${reply.id}/reactions/👍`);
  await team.reply(team.ada, oldNote, 'young');
  expect(await rows('reactions', 'mentions')).toEqual([2, 52]);
  await setRetention(2);
  await team.hub.prune();
  expect(await rows('items', 'reactions', 'mentions')).toEqual([0, 0, 0]);
  expect(await itemCount()).toBe(0);
});

test('pruning by the retention of a Hub removes items from search and keeps the counters of keys', async () => {
  await team.post('messages', { text: 'a heron' });
  await team.message(team.ada, 'a heron');
  const found = async () => (await team.hub.admin.raw('GET', '/search?q=heron')).json() as Promise<{ items: Item[] }>;
  expect((await found()).items).toHaveLength(2);
  days(3);
  await setRetention(2);
  await team.hub.prune();
  expect((await found()).items).toEqual([]);
  expect((await team.hub.admin.showKey(team.keyId)).postCount).toBe(1);
  // Opened as after a kill, when posts that had only been counted in memory are counted again.
  await using again = await startAfterKill(team.hub);
  expect((await again.store.keys.find(team.keyId))?.postCount).toBe(1);
});

test('pruning deleted items deletes them permanently after thirty days, without an event', async () => {
  const message = await team.message(team.ada, 'gone, @Bob Kahn');
  await team.ada.json('PUT', `/messages/${message.id}/reactions/👍`);
  await team.ada.json('DELETE', `/messages/${message.id}`);
  const kept = await team.message(team.ada, 'kept');
  const seq = await team.seq();
  days(30);
  await team.hub.prune();
  expect(await isKept(message)).toBe(true);
  team.hub.clock.advance(1);
  await team.hub.prune();
  expect(await Promise.all([message, kept].map(isKept))).toEqual([false, true]);
  expect(await rows('items', 'reactions', 'mentions')).toEqual([1, 0, 0]);
  expect(await team.seq()).toBe(seq);
  expect(await itemCount()).toBe(1);
});

test('pruning deleted items deletes all that were removed at the same time', async () => {
  for (let n = 0; n < 60; n += 1) await team.post('messages', { text: 'leaked' });
  await team.hub.admin.raw('POST', `/keys/${team.keyId}/removals`);
  days(31);
  await team.hub.prune();
  expect(await rows('items')).toEqual([0]);
});

test('pruning deleted items keeps an empty placeholder for a message with a thread', async () => {
  const message = await team.post<Message>('messages', { text: 'a secret that leaked' });
  const reply = await team.reply(team.ada, message, 'please remove it');
  await team.hub.admin.raw('POST', `/keys/${team.keyId}/removals`);
  days(31);
  await team.hub.prune();
  const stored = await team.hub.query('SELECT body, address, request_id FROM items WHERE id = $1', message.id);
  expect(stored).toEqual([{ body: null, address: null, request_id: null }]);
  expect(await isKept(reply)).toBe(true);
  expect(await team.hub.prune()).toBe(0);
});

onlyOnPostgres.test('pruning keeps an item that is restored in the same moment', async () => {
  const databaseUrl = await createDatabase();
  await using other = await startTestHub({ databaseUrl });
  const own = await teamOn(other, ['Ada Lovelace', 'Bob Kahn']);
  const [restored, deleted] = [await own.message(own.ada, 'restored'), await own.message(own.ada, 'deleted')];
  for (const { id } of [restored, deleted]) await own.ada.json('DELETE', `/messages/${id}`);
  other.clock.advance(31 * DAY_MS);
  const sql = new SQL(databaseUrl, { max: 2 });
  const isWaiting = () =>
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const pruning = await sql.begin(async (undo) => {
    await undo`update items set deleted_at = null where id = ${restored.id}`;
    const running = other.prune();
    while ((await isPending(running)) && (await isWaiting()).length === 0);
    return { running };
  });
  await pruning.running;
  const isLeft = async ({ id }: { id: string }) => (await other.store.items.find(id)) !== null;
  expect(await Promise.all([restored, deleted].map(isLeft))).toEqual([true, false]);
  await sql.close();
});

test('pruning begins soon after the start; stopping waits for the current step, and starts no new one', async () => {
  const { store, clock, deps } = team.hub;
  const { reached, goOn } = holdNext(store, 'transaction');
  const stop = pruneRegularly(deps);
  clock.advance(15_000);
  await reached;
  const steps = spyOn(store, 'transaction');
  const stopped = stop();
  expect(await isPending(stopped)).toBe(true);
  goOn();
  // It pauses after each step.
  while (await isPending(stopped)) clock.advance(100);
  expect(steps).not.toHaveBeenCalled();
});
