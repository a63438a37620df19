import { describe, expect, test } from 'bun:test';
import type { Hub, ReadMark, ServerFrame } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import { newPost } from '../../../test/store/records.ts';
import { insertPost } from '../../../test/store/writes.ts';

async function setUp() {
  const hub = await startTestHub();
  const { hubId: id, keyId, post } = await publicCaller(hub);
  const asPost = () => newPost({ hubId: id, id: keyId });
  const ada = await memberOf(hub, id, { name: 'Ada' });
  const bob = await memberOf(hub, id, { name: 'Bob' });
  const send = (text = 'x') => post('messages', { text });
  const markOf = async (caller: UserCaller) => {
    const { seq, readSeq, unreadCount } = (await caller.json<Hub>('GET', `/hubs/${id}`)).body;
    return { seq, readSeq, unreadCount };
  };
  const read = (caller: UserCaller, seq: unknown, hubId = id, kind?: unknown, back?: unknown) =>
    caller.json<ReadMark & { message: string }>('PUT', `/hubs/${hubId}/read`, { seq, kind, back });
  const dispose = () => hub[Symbol.asyncDispose]();
  return { hub, id, keyId, ada, bob, asPost, post, send, markOf, read, [Symbol.asyncDispose]: dispose };
}

describe('the unread count', () => {
  test('is kept per member, and is the same in the list of Hubs and in the Hub', async () => {
    await using t = await setUp();
    expect(await t.markOf(t.ada)).toEqual({ seq: 2, readSeq: 1, unreadCount: 0 });
    await t.send();
    await t.post('notes', { content: 'x' });
    await t.post('todos', { title: 'x' });
    expect(await t.markOf(t.ada)).toEqual({ seq: 5, readSeq: 1, unreadCount: 3 });
    expect(await t.markOf(t.bob)).toEqual({ seq: 5, readSeq: 2, unreadCount: 3 });
    const { items } = (await t.ada.json<{ items: Hub[] }>('GET', '/hubs')).body;
    expect(items).toMatchObject([{ seq: 5, readSeq: 1, unreadCount: 3 }]);
  });

  test('is at most 1,000', async () => {
    await using t = await setUp();
    const write = (count: number) =>
      Promise.all(Array.from({ length: count }, () => insertPost(t.hub.store, t.asPost())));
    await write(999);
    expect((await t.markOf(t.ada)).unreadCount).toBe(999);
    await write(2);
    expect((await t.markOf(t.ada)).unreadCount).toBe(1_000);
  });

  test('leaves out the posts of a key that the member muted, also of its successor, and tells all pages', async () => {
    await using t = await setUp();
    const mute = (mode: string) => t.ada.json('PUT', `/me/notifications/keys/${t.keyId}`, { mode });
    using pages = await liveClient(t.hub, t.ada.headers);
    const told = (count: number, keyIds: readonly string[]) =>
      pages.until(
        (each): each is ServerFrame & { type: 'unread' } =>
          each.type === 'unread' && each.unreadCount === count && Bun.deepEquals(each.mutedKeyIds, keyIds),
      );
    // More than are examined if no key is muted.
    await Promise.all(Array.from({ length: 2_001 }, () => insertPost(t.hub.store, t.asPost())));
    await t.bob.json('POST', `/hubs/${t.id}/messages`, { text: 'by Bob' });
    await t.post('todos', { title: 'x' });
    expect((await t.markOf(t.ada)).unreadCount).toBe(1_000);
    await mute('muted');
    await told(1, [t.keyId]);
    const next = await t.hub.admin.rotateKey(t.keyId);
    const both = [t.keyId, next.id];
    await told(1, both);
    const hub = (await t.ada.json<Hub>('GET', `/hubs/${t.id}`)).body;
    expect([hub.unreadCount, hub.mutedKeyIds]).toEqual([1, both]);
    const news = await t.ada.json<{ items: { text: string }[] }>('GET', '/stream?unread=true');
    expect(news.body.items.map(({ text }) => text)).toEqual(['by Bob']);
    expect((await t.markOf(t.bob)).unreadCount).toBe(1_000);
    await mute('usual');
    await told(1_000, [next.id]);
  });
});

describe('the read marker of a member', () => {
  test('moves back if asked to, makes mentions unread again, and tells all pages of that user that it is newer', async () => {
    await using t = await setUp();
    await t.send();
    await t.post('notes', { content: 'x' });
    await t.send('@Ada');
    await t.send();
    using pages = await liveClient(t.hub, t.ada.headers);
    await t.read(t.ada, 7);
    const back = await t.read(t.ada, 4, t.id, 'message', true);
    expect([back.status, back.body]).toEqual([
      200,
      {
        hubId: t.id,
        readSeq: 4,
        readSeqs: { message: 4, note: 6, todo: 6 },
        readVersion: 1,
        unreadCount: 2,
        unreadCounts: { message: 2, note: 0, todo: 0 },
      } as typeof back.body,
    ]);
    const frame = await pages.until(
      (each): each is ServerFrame & { type: 'unread' } => each.type === 'unread' && each.readVersion === 1,
    );
    expect(frame).toMatchObject({ seq: 6, readSeqs: back.body.readSeqs, unreadMentionIds: [expect.any(String)] });
    // The same mark again changes nothing, and reading on leaves the version as it is.
    expect((await t.read(t.ada, 4, t.id, 'message', true)).body).toMatchObject({ readVersion: 1, unreadCount: 2 });
    expect((await t.read(t.ada, 6, t.id, 'message')).body).toMatchObject({ readVersion: 1, unreadCount: 0 });
    expect((await t.read(t.ada, 0, t.id, undefined, true)).body).toMatchObject({ readVersion: 2, unreadCount: 4 });
    expect(await t.markOf(t.bob)).toMatchObject({ unreadCount: 4 });
    for (const wrong of ['yes', 1]) expect((await t.read(t.ada, 4, t.id, 'message', wrong)).status).toBe(400);
  });

  test('is sent with the unread counts to all open pages of that user, and to no other user', async () => {
    await using t = await setUp();
    await t.send();
    using adas = await liveClient(t.hub, t.ada.headers);
    using bobs = await liveClient(t.hub, t.bob.headers);
    await t.post('notes', { content: 'x' });
    const { body } = await t.read(t.ada, 4, t.id, 'message');
    const isUnread = (frame: ServerFrame): frame is ServerFrame & { type: 'unread' } => frame.type === 'unread';
    expect(await adas.until(isUnread)).toEqual({
      ...{ type: 'unread', seq: 4, isFavorite: false, mutedKeyIds: [], unreadMentionIds: [] },
      ...body,
    });
    await t.read(t.ada, 4, t.id, 'message');
    for (const { settled, frames } of [adas, bobs]) {
      await settled();
      expect(frames.filter(isUnread)).toHaveLength(frames === adas.frames ? 1 : 0);
    }
  });

  test('is separate for each kind: reading the conversation does not mark notes and to-dos as read', async () => {
    await using t = await setUp();
    await t.send();
    await t.post('notes', { content: 'x' });
    await t.post('todos', { title: 'x' });
    const { body } = await t.read(t.ada, 5, t.id, 'message');
    const halfRead = {
      readSeq: 1,
      readSeqs: { message: 5, note: 1, todo: 1 },
      readVersion: 0,
      unreadCount: 2,
      unreadCounts: { message: 0, note: 1, todo: 1 },
    };
    expect(body).toEqual({ hubId: t.id, ...halfRead } as typeof body);
    const { items } = (await t.ada.json<{ items: Hub[] }>('GET', '/hubs')).body;
    expect(items[0]).toMatchObject(halfRead);
    const news = await t.ada.json<{ items: { kind: string }[] }>('GET', '/stream?unread=true');
    expect(news.body.items.map(({ kind }) => kind)).toEqual(['todo', 'note']);
    expect((await t.read(t.ada, 4, t.id, 'note')).body).toMatchObject({
      readSeqs: { message: 5, note: 4, todo: 1 },
      unreadCounts: { message: 0, note: 0, todo: 1 },
    });
    expect((await t.read(t.ada, 3, t.id, 'message')).body.readSeqs.message).toBe(5);
    expect((await t.read(t.ada, 5)).body).toMatchObject({ readSeq: 5, unreadCount: 0 });
    expect(await t.markOf(t.bob)).toMatchObject({ unreadCount: 3 });
  });
});
