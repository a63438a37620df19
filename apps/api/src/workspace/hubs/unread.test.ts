import { expect, test } from 'bun:test';
import type { ReadMark, WireKind } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import { insertPosts } from '../../../test/store/writes.ts';

const hub = perTest(startTestHub);
const caller = perTest(() => publicCaller(hub));
const ada = perTest(() => memberOf(hub, caller.hubId, { name: 'Ada' }));
const bob = perTest(() => memberOf(hub, caller.hubId, { name: 'Bob' }));
const send = (text = 'x') => caller.post('messages', { text });
/** Stores this many posts of the key, which sends no request for them. */
const store = (count: number) => insertPosts(hub.store, { hubId: caller.hubId, id: caller.keyId }, count);
const hubOf = ({ request }: UserCaller) => request('GET /hubs/{hubId}', { hubId: caller.hubId });
const markOf = async (user: UserCaller) => {
  const { seq, readSeq, unreadCount } = await hubOf(user);
  return { seq, readSeq, unreadCount };
};
const read = (user: UserCaller, seq: number, kind?: WireKind, back?: unknown) =>
  user.json<ReadMark>('PUT', `/hubs/${caller.hubId}/read`, { seq, kind, back });

test('the unread count is kept per member, and is the same in the list of Hubs and in the Hub', async () => {
  expect(await markOf(ada)).toEqual({ seq: 2, readSeq: 1, unreadCount: 0 });
  await send();
  await caller.post('notes', { content: 'x' });
  await caller.post('todos', { title: 'x' });
  expect(await markOf(ada)).toEqual({ seq: 5, readSeq: 1, unreadCount: 3 });
  expect(await markOf(bob)).toEqual({ seq: 5, readSeq: 2, unreadCount: 3 });
  const { items } = await ada.request('GET /hubs');
  expect(items).toMatchObject([{ seq: 5, readSeq: 1, unreadCount: 3 }]);
});

test('the unread count is at most 1,000', async () => {
  await store(999);
  expect((await markOf(ada)).unreadCount).toBe(999);
  await store(2);
  expect((await markOf(ada)).unreadCount).toBe(1_000);
});

test('the unread count leaves out the posts of a key that the member muted, also of its successor, and tells all pages', async () => {
  const mute = (mode: string) => ada.json('PUT', `/me/notifications/keys/${caller.keyId}`, { mode });
  using pages = await liveClient(hub, ada.headers);
  const told = (count: number, keyIds: readonly string[]) =>
    pages.until('unread', (each) => each.unreadCount === count && Bun.deepEquals(each.mutedKeyIds, keyIds));
  // More than are examined if no key is muted.
  await store(2_001);
  await bob.json('POST', `/hubs/${caller.hubId}/messages`, { text: 'by Bob' });
  await caller.post('todos', { title: 'x' });
  expect((await markOf(ada)).unreadCount).toBe(1_000);
  await mute('muted');
  await told(1, [caller.keyId]);
  const next = await hub.admin.rotateKey(caller.keyId);
  const both = [caller.keyId, next.id];
  await told(1, both);
  expect(await hubOf(ada)).toMatchObject({ unreadCount: 1, mutedKeyIds: both });
  const news = await ada.request('GET /stream', { query: { unread: 'true' } });
  expect(news.items).toMatchObject([{ kind: 'message', text: 'by Bob' }]);
  expect((await markOf(bob)).unreadCount).toBe(1_000);
  await mute('usual');
  await told(1_000, [next.id]);
});

test('the read marker of a member moves back if asked to, makes mentions unread again, and tells all pages of that user that it is newer', async () => {
  await send();
  await caller.post('notes', { content: 'x' });
  await send('@Ada');
  await send();
  using pages = await liveClient(hub, ada.headers);
  await read(ada, 7);
  const { body } = await read(ada, 4, 'message', true);
  const readSeqs = { message: 4, note: 6, todo: 6 };
  const counts = { unreadCount: 2, unreadCounts: { message: 2, note: 0, todo: 0 } };
  expect(body).toEqual({ hubId: caller.hubId, readSeq: 4, readSeqs, readVersion: 1, ...counts });
  await pages.until('unread', (each) => each.readVersion === 1 && each.seq === 6 && each.unreadMentionIds.length === 1);
  // The same mark again changes nothing, and reading on leaves the version as it is.
  expect((await read(ada, 4, 'message', true)).body).toMatchObject({ readVersion: 1, unreadCount: 2 });
  expect((await read(ada, 6, 'message')).body).toMatchObject({ readVersion: 1, unreadCount: 0 });
  expect((await read(ada, 0, undefined, true)).body).toMatchObject({ readVersion: 2, unreadCount: 4 });
  expect(await markOf(bob)).toMatchObject({ unreadCount: 4 });
  for (const wrong of ['yes', 1]) expect((await read(ada, 4, 'message', wrong)).status).toBe(400);
});

test('the read marker of a member is sent with the unread counts to all open pages of that user, and to no other user', async () => {
  await send();
  using adas = await liveClient(hub, ada.headers);
  using bobs = await liveClient(hub, bob.headers);
  await caller.post('notes', { content: 'x' });
  const { body } = await read(ada, 4, 'message');
  const rest = { seq: 4, isFavorite: false, mutedKeyIds: [], unreadMentionIds: [] };
  expect(await adas.until('unread')).toEqual({ type: 'unread', ...rest, ...body });
  await read(ada, 4, 'message');
  for (const { settled, frames } of [adas, bobs]) {
    await settled();
    expect(frames.filter(({ type }) => type === 'unread')).toHaveLength(frames === adas.frames ? 1 : 0);
  }
});

test('the read marker of a member is separate for each kind: reading the conversation does not mark notes and to-dos as read', async () => {
  await send();
  await caller.post('notes', { content: 'x' });
  await caller.post('todos', { title: 'x' });
  const { body } = await read(ada, 5, 'message');
  const counts = { unreadCount: 2, unreadCounts: { message: 0, note: 1, todo: 1 } };
  const halfRead = { readSeq: 1, readSeqs: { message: 5, note: 1, todo: 1 }, readVersion: 0, ...counts };
  expect(body).toEqual({ hubId: caller.hubId, ...halfRead });
  expect((await ada.request('GET /hubs')).items).toMatchObject([halfRead]);
  const news = await ada.request('GET /stream', { query: { unread: 'true' } });
  expect(news.items.map(({ kind }) => kind)).toEqual(['todo', 'note']);
  const further = { readSeqs: { message: 5, note: 4, todo: 1 }, unreadCounts: { message: 0, note: 0, todo: 1 } };
  expect((await read(ada, 4, 'note')).body).toMatchObject(further);
  expect((await read(ada, 3, 'message')).body.readSeqs.message).toBe(5);
  expect((await read(ada, 5)).body).toMatchObject({ readSeq: 5, unreadCount: 0 });
  expect(await markOf(bob)).toMatchObject({ unreadCount: 3 });
});
