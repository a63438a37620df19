import { describe, expect, test } from 'bun:test';
import type { Item, Message, Note, Todo } from '@hub/contract';
import { type MessagePage, startTeam, statusAndMessageOf } from '@hub/testkit/in-process/team';
import { memberOf, signedIn, signIn, type UserCaller } from '@hub/testkit/in-process/users';
import { prune } from '../../ops/prune.ts';

describe('editing a message', () => {
  test('is allowed for its author alone: an admin cannot change the text of another member, a reply or a post', async () => {
    await using team = await startTeam();
    const admin = await memberOf(team.hub, team.hubId, { role: 'admin', name: 'Cleo' });
    const own = await team.message(team.ada, 'draft');
    team.hub.clock.advance(1_000);
    const edited = await team.ada.json<Message>('PATCH', `/messages/${own.id}`, { text: 'final' });
    expect(edited.body).toEqual({ ...own, text: 'final', version: 2, editedAt: '2026-03-01T09:30:01.000Z' });
    expect(await team.show(own)).toEqual(edited.body);

    const posted = await team.post('messages', { text: 'bot' });
    const reply = await team.reply(team.ada, posted, 'a reply');
    for (const item of [await team.show(own), posted, reply]) {
      const path = `/messages/${item.id}`;
      const before = await team.show(item);
      for (const caller of [team.bob, admin, ...(item.key ? [team.ada] : [])]) {
        expect(await statusAndMessageOf(caller, 'PATCH', path, { text: 'x' })).toStartWith(
          '403 Only its author can edit this message.',
        );
      }
      expect((await team.hub.admin.raw('PATCH', path, { text: 'x' })).status).toBe(403);
      expect(await team.show(item)).toEqual(before);
    }
  });

  test('returns 409 if it is based on an older version, and changes nothing', async () => {
    await using team = await startTeam();
    const { id } = await team.message(team.ada, 'one');
    const edit = (text: string, baseVersion: number) =>
      statusAndMessageOf(team.ada, 'PATCH', `/messages/${id}`, { text, baseVersion });
    expect(await edit('two', 1)).toStartWith('200');
    const seq = await team.seq();
    expect(await edit('three', 1)).toStartWith('409 This message was changed by someone else: it is at version 2');
    expect(await team.events(seq)).toEqual([]);
    expect((await team.show({ id })).text).toBe('two');
    expect(await edit('three', 2)).toStartWith('200');
  });
});

describe('deleting a message', () => {
  test('hides its content immediately and removes it from every list', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'secret @Bob');
    await team.bob.json('PUT', `/messages/${message.id}/reactions/👍`);
    const seq = await team.seq();
    const response = await team.ada.json<Message>('DELETE', `/messages/${message.id}`);
    expect(response.body).toMatchObject({
      id: message.id,
      text: null,
      reactions: [],
      mentions: [],
      deletedAt: expect.any(String),
    });
    expect(await team.events(seq)).toEqual(['message.deleted']);
    expect((await team.messages()).items).toEqual([]);
    expect(await statusAndMessageOf(team.ada, 'GET', `/items/${message.id}`)).toBe(
      `404 The item ${message.id} was deleted.`,
    );
    for (const [method, path, body] of [
      ['PATCH', '', { text: 'x' }],
      ['PUT', '/reactions/👍', undefined],
      ['POST', '/conversion', { to: 'note' }],
      ['POST', '/replies', { text: 'x' }],
      ['GET', '/replies', undefined],
    ] as const) {
      const error = await statusAndMessageOf(team.ada, method, `/messages/${message.id}${path}`, body);
      expect(error).toBe(`404 The message ${message.id} was deleted.`);
    }
  });

  test('is allowed for its author and admins; repeating it changes nothing', async () => {
    await using team = await startTeam();
    const message = await team.post('messages', { text: 'bot' });
    expect(await statusAndMessageOf(team.bob, 'DELETE', `/messages/${message.id}`)).toStartWith('403 Only its author');
    const admin = await memberOf(team.hub, team.hubId, { role: 'admin', name: 'Cleo' });
    const first = await admin.json<Message>('DELETE', `/messages/${message.id}`);
    const seq = await team.seq();
    team.hub.clock.advance(1_000);
    const again = await admin.json<Message>('DELETE', `/messages/${message.id}`);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await team.events(seq)).toEqual([]);
  });
});

describe('a deleted item', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const restore = (caller: UserCaller, { id }: { id: string }) =>
    statusAndMessageOf(caller, 'POST', `/items/${id}/restoration`);
  const deletedFor = async ({ json }: UserCaller, hubId: string, query = '') =>
    (await json<{ items: Item[]; next: string | null }>('GET', `/hubs/${hubId}/deleted-items${query}`)).body;
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

  test('is restored in its place, with its text, replies, reactions, mentions, read state and conversion', async () => {
    await using team = await startTeam();
    const { ada, bob, hubId } = team;
    await team.message(ada, 'before');
    const message = await team.message(ada, 'A spoonbill for @Bob');
    await team.message(ada, 'after');
    await bob.json('PUT', `/messages/${message.id}/reactions/👍`);
    const reply = await team.reply(bob, message, 'a reply');
    const { body: todo } = await bob.json<Todo>('POST', `/messages/${message.id}/conversion`, { to: 'todo' });
    const before = await team.show(message);
    const unread = () => bob.json<{ items: { unreadMentionIds?: string[] }[] }>('GET', '/hubs');
    const [reading, list] = [(await unread()).body, (await team.messages()).items];

    for (const path of [`/messages/${reply.id}`, `/todos/${todo.id}`]) await bob.json('DELETE', path);
    await ada.json('DELETE', `/messages/${message.id}`);
    expect((await bob.json<{ items: Item[] }>('GET', '/search?q=spoonbill')).body.items).toEqual([]);
    team.hub.clock.advance(29 * DAY_MS);
    const seq = await team.seq();
    for (const [caller, item] of [
      [ada, message],
      [bob, reply],
      [bob, todo],
    ] as const) {
      expect(await restore(caller, item)).toBe('200 undefined');
    }
    expect(await team.events(seq)).toEqual([
      ...['message.restored', 'message.restored', 'message.changed', 'todo.restored', 'message.changed'],
    ]);
    expect(await team.show(message)).toEqual(before);
    expect((await team.messages()).items).toEqual(list);
    expect(idsOf((await bob.json<MessagePage>('GET', `/messages/${message.id}/replies`)).body.items)).toEqual([
      reply.id,
    ]);
    expect((await unread()).body.items[0]?.unreadMentionIds).toEqual(reading.items[0]?.unreadMentionIds as string[]);
    expect(idsOf((await bob.json<{ items: Item[] }>('GET', '/search?q=spoonbill')).body.items).toSorted()).toEqual(
      [message.id, todo.id].toSorted(),
    );
    expect(await deletedFor(ada, hubId)).toEqual({ items: [], next: null });
    // A repeated request changes nothing.
    const newest = await team.seq();
    expect(await restore(ada, message)).toStartWith('200');
    expect(await team.events(newest)).toEqual([]);
  });

  test('can be restored and read by its author, the user who deleted it and admins of the Hub, and by nobody else', async () => {
    await using team = await startTeam();
    const { ada, bob, hubId } = team;
    const cid = await memberOf(team.hub, hubId, { name: 'Cid' });
    const admin = await memberOf(team.hub, hubId, { role: 'admin', name: 'Cleo' });
    const outsider = await signedIn(team.hub, { role: 'admin', name: 'Dee' });
    const message = await team.message(ada, 'secret');
    const note = await team.note(ada, { content: 'secret' });
    const posted = await team.post('messages', { text: 'secret' });
    await ada.json('DELETE', `/messages/${message.id}`);
    await bob.json('DELETE', `/notes/${note.id}`);
    await admin.json('DELETE', `/messages/${posted.id}`);
    const readable = async (caller: UserCaller) => idsOf((await deletedFor(caller, hubId)).items);
    expect(await readable(ada)).toEqual([note.id, message.id]);
    expect(await readable(bob)).toEqual([note.id]);
    expect(await readable(cid)).toEqual([]);
    expect(await readable(admin)).toEqual([posted.id, note.id, message.id]);
    expect((await deletedFor(admin, hubId)).items[0]).toEqual({ ...posted, deletedAt: '2026-03-01T09:30:00.000Z' });
    expect(await statusAndMessageOf(outsider, 'GET', `/hubs/${hubId}/deleted-items`)).toStartWith('403');
    const local = await team.hub.admin.raw('GET', `/hubs/${hubId}/deleted-items`);
    expect(idsOf(((await local.json()) as { items: Item[] }).items)).toEqual([posted.id, note.id, message.id]);

    for (const item of [message, note, posted]) expect(await restore(cid, item)).toStartWith('403 Only its author');
    expect(await restore(bob, message)).toStartWith('403 Only its author');
    expect(await restore(outsider, message)).toStartWith('403');
    expect(await restore(ada, { id: 'msg_0' })).toBe('404 There is no item msg_0.');
    const seq = await team.seq();
    expect([await restore(bob, note), await restore(admin, message), await restore(admin, posted)]).toEqual(
      Array(3).fill('200 undefined'),
    );
    expect(await team.events(seq)).toEqual(['note.restored', 'message.restored', 'message.restored']);
    const [entry] = (await team.hub.admin.audit('?limit=1')).items;
    expect(entry).toMatchObject({ action: 'item.restored', actor: { id: admin.user.id }, targetId: posted.id });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });

  test('is listed page by page, and can be restored for 30 days, until it is erased', async () => {
    await using team = await startTeam();
    const { ada, hubId, hub } = team;
    const notes = [];
    for (const content of ['one', 'two', 'three']) notes.push(await team.note(ada, { content }));
    for (const { id } of notes) await ada.json('DELETE', `/notes/${id}`);
    const first = await deletedFor(ada, hubId, '?limit=2');
    expect(idsOf(first.items)).toEqual([notes[2]?.id ?? '', notes[1]?.id ?? '']);
    const last = await deletedFor(ada, hubId, `?limit=2&before=${first.next}`);
    expect([idsOf(last.items), last.next]).toEqual([[notes[0]?.id ?? ''], null]);
    hub.clock.advance(30 * DAY_MS);
    const again = await signIn(hub, ada.user);
    expect(await restore(again, notes[0] as Note)).toStartWith('200');
    hub.clock.advance(1);
    expect(await restore(again, notes[1] as Note)).toBe(
      '409 This was deleted more than 30 days ago, and cannot be restored.',
    );
    expect((await deletedFor(again, hubId)).items).toEqual([]);
    await prune(hub);
    expect(await restore(again, notes[1] as Note)).toStartWith('404');
  });
});

describe('notes and to-dos', () => {
  test('can be edited by any member', async () => {
    await using team = await startTeam();
    const note = await team.note(team.ada, { title: 'T', content: 'C' });
    const edited = await team.bob.json<Note>('PATCH', `/notes/${note.id}`, {
      title: null,
      content: 'D',
      baseVersion: 1,
    });
    expect(edited.body).toMatchObject({ title: null, content: 'D', version: 2, author: { id: team.ada.user.id } });
    const byBob = { kind: 'user', id: team.bob.user.id, name: 'Bob Kahn' } as const;
    expect(edited.body.editedBy).toEqual(byBob);
    const todo = await team.todo(team.ada, { title: 'T' });
    const done = await team.bob.json<Todo>('PATCH', `/todos/${todo.id}`, { status: 'done', priority: 'LOW' });
    expect(done.body).toMatchObject({ editedAt: null, editedBy: null });
    expect((await team.bob.json<Todo>('PATCH', `/todos/${todo.id}`, { title: 'U' })).body.editedBy).toEqual(byBob);
    expect((await team.ada.json<Todo>('PATCH', `/todos/${todo.id}`, { title: 'V' })).body.editedBy).toBeNull();
    const posted = await team.post<Note>('notes', { content: 'bot' });
    expect((await team.bob.json<Note>('PATCH', `/notes/${posted.id}`, { title: 'T' })).body).toMatchObject({
      title: 'T',
      content: 'bot',
      key: { id: team.keyId },
    });
    const stale = await statusAndMessageOf(team.ada, 'PATCH', `/notes/${note.id}`, { content: 'E', baseVersion: 1 });
    expect(stale).toStartWith('409 This note was changed by someone else');
    expect(await statusAndMessageOf(team.ada, 'PATCH', `/notes/${note.id}`, { content: ' ' })).toStartWith(
      '400 content cannot',
    );
    expect(await statusAndMessageOf(team.ada, 'PATCH', '/notes/note_0', { content: 'E' })).toBe(
      '404 There is no note note_0.',
    );
  });

  test('can be deleted by any member and by the local admin', async () => {
    await using team = await startTeam();
    const note = await team.note(team.ada, { title: 'T', content: 'C' });
    const todo = await team.todo(team.ada, { title: 'T', content: 'C' });
    const seq = await team.seq();
    expect((await team.bob.json<Note>('DELETE', `/notes/${note.id}`)).body).toMatchObject({ title: null, content: '' });
    const response = await team.hub.admin.raw('DELETE', `/todos/${todo.id}`);
    expect((await response.json()) as Todo).toMatchObject({ title: '', content: null, deletedAt: expect.any(String) });
    expect(await team.events(seq)).toEqual(['note.deleted', 'todo.deleted']);
    expect([(await team.notes()).items, (await team.todos()).items]).toEqual([[], []]);
    expect(await statusAndMessageOf(team.ada, 'DELETE', `/notes/${todo.id}`)).toBe(`404 There is no note ${todo.id}.`);
    expect(await statusAndMessageOf(team.ada, 'PATCH', `/todos/${todo.id}`, { title: 'x' })).toStartWith(
      '404 The to-do',
    );
    expect(await statusAndMessageOf(team.ada, 'DELETE', `/todos/${todo.id}`, { force: true })).toStartWith(
      '400 force is not',
    );
  });
});

describe('a single item', () => {
  test('has an origin if it was posted with a key', async () => {
    await using team = await startTeam();
    const posted = await team.post('messages', { text: 'x' });
    const { body } = await team.bob.json('GET', `/items/${posted.id}/origin`);
    expect(body).toEqual({
      itemId: posted.id,
      keyId: team.keyId,
      address: '192.0.2.1',
      requestId: expect.stringMatching(/^req_/),
    });
    const own = await team.message(team.ada, 'x');
    expect(await statusAndMessageOf(team.bob, 'GET', `/items/${own.id}/origin`)).toStartWith(
      `404 ${own.id} was written by a member`,
    );
  });
});
