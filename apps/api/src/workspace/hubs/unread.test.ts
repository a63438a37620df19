import { describe, expect, test } from 'bun:test';
import type { Hub, ReadMark, ServerFrame } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { post, restartHub, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, type UserCaller } from '@hub/testkit/in-process/users';

async function setUp() {
  const hub = await startTestHub();
  const { id } = await hub.admin.createHub();
  const { key } = await hub.admin.issueKey({ hubId: id });
  const ada = await memberOf(hub, id, { name: 'Ada' });
  const bob = await memberOf(hub, id, { name: 'Bob' });
  const send = () => post(hub, 'messages', key, { text: 'x' });
  const markOf = async (caller: UserCaller) => {
    const { seq, readSeq, unreadCount } = (await caller.json<Hub>('GET', `/hubs/${id}`)).body;
    return { seq, readSeq, unreadCount };
  };
  const read = (caller: UserCaller, seq: unknown, hubId = id, kind?: unknown, back?: unknown) =>
    caller.json<ReadMark & { message: string }>('PUT', `/hubs/${hubId}/read`, { seq, kind, back });
  return { hub, id, key, ada, bob, send, markOf, read, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('the unread count', () => {
  test('is kept per member, and is the same in the list of Hubs and in the Hub', async () => {
    await using t = await setUp();
    expect(await t.markOf(t.ada)).toEqual({ seq: 2, readSeq: 1, unreadCount: 0 });
    await t.send();
    await post(t.hub, 'notes', t.key, { content: 'x' });
    await post(t.hub, 'todos', t.key, { title: 'x' });
    expect(await t.markOf(t.ada)).toEqual({ seq: 5, readSeq: 1, unreadCount: 3 });
    expect(await t.markOf(t.bob)).toEqual({ seq: 5, readSeq: 2, unreadCount: 3 });
    const { items } = (await t.ada.json<{ items: Hub[] }>('GET', '/hubs')).body;
    expect(items[0]).toMatchObject({ seq: 5, readSeq: 1, unreadCount: 3 });
  });

  test("leaves out the member's own posts", async () => {
    await using t = await setUp();
    await t.ada.json('POST', `/hubs/${t.id}/messages`, { text: 'x' });
    expect(await t.markOf(t.ada)).toMatchObject({ unreadCount: 0 });
    expect(await t.markOf(t.bob)).toMatchObject({ unreadCount: 1 });
  });

  test('is at most 100', async () => {
    await using t = await setUp();
    const write = () => t.bob.json('POST', `/hubs/${t.id}/messages`, { text: 'x' });
    await Promise.all(Array.from({ length: 99 }, write));
    expect((await t.markOf(t.ada)).unreadCount).toBe(99);
    await Promise.all([write(), write()]);
    expect((await t.markOf(t.ada)).unreadCount).toBe(100);
  });

  test('leaves out items from before the member was added', async () => {
    await using t = await setUp();
    await t.send();
    const late = await memberOf(t.hub, t.id);
    expect(await t.markOf(late)).toEqual({ seq: 4, readSeq: 4, unreadCount: 0 });
    await t.send();
    expect(await t.markOf(late)).toMatchObject({ unreadCount: 1 });
  });
});

describe('the read marker of a member', () => {
  test('moves to the given event, and survives a restart', async () => {
    await using t = await setUp();
    for (let n = 0; n < 4; n += 1) await t.send();
    const { status, body } = await t.read(t.ada, 4);
    const readSeqs = { message: 4, note: 4, todo: 4 };
    const unreadCounts = { message: 2, note: 0, todo: 0 };
    expect([status, body]).toEqual([
      200,
      { hubId: t.id, readSeq: 4, readSeqs, readVersion: 0, unreadCount: 2, unreadCounts } as typeof body,
    ]);
    expect(await t.markOf(t.ada)).toEqual({ seq: 6, readSeq: 4, unreadCount: 2 });
    expect(await t.markOf(t.bob)).toMatchObject({ unreadCount: 4 });
    await using again = await restartHub(t.hub);
    const url = `${again.url}/api/v1/hubs/${t.id}`;
    const shown = await fetch(url, { headers: { cookie: t.ada.headers.cookie ?? '' } });
    expect(await shown.json()).toMatchObject({ readSeq: 4, unreadCount: 2 });
  });

  test('only moves forward, and not beyond the newest event', async () => {
    await using t = await setUp();
    for (let n = 0; n < 3; n += 1) await t.send();
    await t.read(t.ada, 4);
    expect((await t.read(t.ada, 3)).body).toMatchObject({ readSeq: 4, unreadCount: 1 });
    expect((await t.read(t.ada, 1_000_000)).body).toMatchObject({ readSeq: 5, unreadCount: 0 });
    await t.send();
    expect(await t.markOf(t.ada)).toMatchObject({ readSeq: 5, unreadCount: 1 });
  });

  test('moves back if asked to, makes mentions unread again, and tells all pages of that user that it is newer', async () => {
    await using t = await setUp();
    await t.send();
    await post(t.hub, 'notes', t.key, { content: 'x' });
    await post(t.hub, 'messages', t.key, { text: '@Ada' });
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

  test('moves back with only the given mentions and replies, if any are given', async () => {
    await using t = await setUp();
    const write = async (caller: UserCaller, text: string, parent?: string) => {
      const path = parent ? `/messages/${parent}/replies` : `/hubs/${t.id}/messages`;
      return (await caller.json<{ id: string }>('POST', path, { text })).body.id;
    };
    const { seq } = await t.markOf(t.ada);
    const question = await write(t.ada, 'Who?');
    const reply = await write(t.bob, 'Bob', question);
    const [, second] = [await write(t.bob, '@Ada'), await write(t.bob, '@Ada')];
    const put = (body: object) => t.ada.json('PUT', `/hubs/${t.id}/read`, { seq, ...body });
    const unread = async () => (await t.ada.json<Hub>('GET', `/hubs/${t.id}`)).body.unreadMentionIds;
    await t.read(t.ada, seq + 4);
    await t.ada.json('PUT', '/mentions/read', { upTo: second });
    expect(await unread()).toEqual([]);
    await put({ back: true, mentionIds: [second, reply, 'msg_none'] });
    expect(await unread()).toEqual([second, reply]);
    await t.ada.json('PUT', '/mentions/read', { upTo: second });
    await put({ back: true, mentionIds: [reply] });
    expect(await unread()).toEqual([reply]);
    await put({ mentionIds: [second] });
    expect(await unread()).toEqual([second, reply]);
  });

  test('moves back without making a mention of oneself unread', async () => {
    await using t = await setUp();
    const { seq } = await t.markOf(t.ada);
    await t.ada.json('POST', `/hubs/${t.id}/messages`, { text: 'Note to self: @Ada' });
    await t.read(t.ada, seq + 1);
    await t.read(t.ada, seq, t.id, undefined, true);
    expect((await t.ada.json<Hub>('GET', `/hubs/${t.id}`)).body.unreadMentionIds).toEqual([]);
  });

  test('is sent with the unread counts to all open pages of that user, and to no other user', async () => {
    await using t = await setUp();
    await t.send();
    using adas = await liveClient(t.hub, t.ada.headers);
    using bobs = await liveClient(t.hub, t.bob.headers);
    await post(t.hub, 'notes', t.key, { content: 'x' });
    const { body } = await t.read(t.ada, 4, t.id, 'message');
    const isUnread = (frame: ServerFrame): frame is ServerFrame & { type: 'unread' } => frame.type === 'unread';
    expect(await adas.until(isUnread)).toEqual({ type: 'unread', seq: 4, unreadMentionIds: [], ...body });
    await t.read(t.ada, 4, t.id, 'message');
    for (const { settled, frames } of [adas, bobs]) {
      await settled();
      expect(frames.filter(isUnread)).toHaveLength(frames === adas.frames ? 1 : 0);
    }
  });

  test('is separate for each kind: reading the conversation does not mark notes and to-dos as read', async () => {
    await using t = await setUp();
    await t.send();
    await post(t.hub, 'notes', t.key, { content: 'x' });
    await post(t.hub, 'todos', t.key, { title: 'x' });
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

  test('returns 400 for an unknown kind', async () => {
    await using t = await setUp();
    for (const kind of ['reply', 'todos', 7, ['note']]) {
      const { status, body } = await t.read(t.ada, 1, t.id, kind);
      expect([status, body.message]).toEqual([
        400,
        expect.stringContaining('kind must be one of message, note, todo') as unknown as string,
      ]);
    }
  });

  test('returns 400 unless it is a number', async () => {
    await using t = await setUp();
    for (const seq of [-1, 1.5, '4', null]) expect((await t.read(t.ada, seq)).status).toBe(400);
  });

  test('is for members only: other users get 404, admins 403, and the local admin has no marker', async () => {
    await using t = await setUp();
    const [outsider, admin] = [await signedIn(t.hub), await signedIn(t.hub, { role: 'admin' })];
    expect((await t.read(outsider, 1)).status).toBe(404);
    expect((await t.read(outsider, 1, t.id, 'note')).status).toBe(404);
    expect((await t.read(t.ada, 1, 'hub_unknown')).status).toBe(404);
    const rejected = await t.read(admin, 1);
    expect([rejected.status, rejected.body.message.includes('add yourself')]).toEqual([403, true]);
    expect((await t.hub.admin.raw('PUT', `/hubs/${t.id}/read`, { seq: 1 })).status).toBe(403);
    expect((await t.hub.fetch(`/api/v1/hubs/${t.id}/read`, { method: 'PUT' })).status).toBe(401);
  });
});
