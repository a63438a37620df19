import { expect, test } from 'bun:test';
import type { Item, Message, Note, Todo } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, teamIn } from '@hub/testkit/in-process/team';
import { memberOf, signedIn, signIn, type UserCaller } from '@hub/testkit/in-process/users';

const base = shared(startTeam);
/** Returns a Hub of its own, with the same users. */
const newTeam = () => teamIn(base.hub, base);
const now = () => new Date(base.hub.clock.now()).toISOString();
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('editing a message is allowed for its author alone: an admin cannot change the text of another member, a reply or a post', async () => {
  const team = await newTeam();
  const admin = await memberOf(base.hub, team.hubId, { role: 'admin' });
  const own = await team.message(team.ada, 'draft');
  base.hub.clock.advance(1_000);
  const edited = await team.ada.json<Message>('PATCH', `/messages/${own.id}`, { text: 'final' });
  expect(edited.body).toEqual({ ...own, text: 'final', version: 2, editedAt: now() });
  expect(await team.show(own)).toEqual(edited.body);

  const posted = await team.post('messages', { text: 'bot' });
  const reply = await team.reply(team.ada, posted, 'a reply');
  for (const item of [await team.show(own), await team.show(posted), await team.show(reply)]) {
    const path = `/messages/${item.id}`;
    for (const caller of [team.bob, admin, ...(item.key ? [team.ada] : [])]) {
      const outcome = await caller.outcome('PATCH', path, { text: 'x' });
      expect(outcome).toStartWith('403 Only its author can edit this message.');
    }
    expect((await base.hub.admin.raw('PATCH', path, { text: 'x' })).status).toBe(403);
    expect(await team.show(item)).toEqual(item);
  }
});

test('editing a note or to-do is allowed for any member, and shows who edited it last', async () => {
  const team = await newTeam();
  const byBob = { kind: 'user', id: team.bob.user.id, name: 'Bob Kahn' } as const;
  const change = async ({ json }: UserCaller, { kind, id }: Item, body: object) =>
    (await json<Note | Todo>('PATCH', `/${kind}s/${id}`, body)).body;
  const note = await team.note(team.ada, { title: 'T', content: 'C' });
  const edited = await change(team.bob, note, { title: null, content: 'D', baseVersion: 1 });
  const byAda = { author: { id: team.ada.user.id } };
  expect(edited).toMatchObject({ title: null, content: 'D', version: 2, ...byAda, editedBy: byBob });
  const todo = await team.todo(team.ada, { title: 'T' });
  const done = await change(team.bob, todo, { status: 'done', priority: 'LOW' });
  expect(done).toMatchObject({ editedAt: null, editedBy: null });
  expect((await change(team.bob, todo, { title: 'U' })).editedBy).toEqual(byBob);
  expect((await change(team.ada, todo, { title: 'V' })).editedBy).toBeNull();
  const changed = await change(team.bob, await team.post<Note>('notes', { content: 'bot' }), { title: 'T' });
  expect(changed).toMatchObject({ title: 'T', content: 'bot', key: { id: team.keyId } });
  const empty = await team.ada.outcome('PATCH', `/notes/${note.id}`, { content: ' ' });
  expect(empty).toStartWith('400 content cannot');
});

test('deleting a message hides its content immediately and removes it from every list', async () => {
  const team = await newTeam();
  const message = await team.message(team.ada, 'secret @Bob');
  await team.bob.json('PUT', `/messages/${message.id}/reactions/👍`);
  const seq = await team.seq();
  const { body } = await team.ada.json<Message>('DELETE', `/messages/${message.id}`);
  const hidden = { text: null, reactions: [], mentions: [], deletedAt: now() };
  expect(body).toMatchObject({ id: message.id, ...hidden });
  expect(await team.events(seq)).toEqual(['message.deleted']);
  expect((await team.messages()).items).toEqual([]);
  for (const [method, noun, path, body] of [
    ['GET', 'item', '', undefined],
    ['GET', 'item', '/replies', undefined],
    ['POST', 'item', '/replies', { text: 'x' }],
    ['PATCH', 'message', '', { text: 'x' }],
    ['PUT', 'message', '/reactions/👍', undefined],
    ['POST', 'message', '/conversion', { to: 'note' }],
  ] as const) {
    const error = await team.ada.outcome(method, `/${noun}s/${message.id}${path}`, body);
    expect([path, error]).toEqual([path, `404 The ${noun} ${message.id} was deleted.`]);
  }
});

test('deleting a message is allowed for its author and admins, a note or to-do for any member; repeating it changes nothing', async () => {
  const team = await newTeam();
  const message = await team.post('messages', { text: 'bot' });
  const note = await team.note(team.ada, { title: 'T', content: 'C' });
  const todo = await team.todo(team.ada, { title: 'T', content: 'C' });
  const admin = await memberOf(base.hub, team.hubId, { role: 'admin' });
  expect(await team.bob.outcome('DELETE', `/messages/${message.id}`)).toStartWith('403 Only its author');
  expect(await team.ada.outcome('DELETE', `/notes/${todo.id}`)).toBe(`404 There is no note ${todo.id}.`);
  const seq = await team.seq();
  const first = await admin.json<Message>('DELETE', `/messages/${message.id}`);
  base.hub.clock.advance(1_000);
  const again = await admin.json<Message>('DELETE', `/messages/${message.id}`);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await team.bob.json<Note>('DELETE', `/notes/${note.id}`)).body).toMatchObject({ title: null, content: '' });
  const { body } = await base.hub.admin.json<Todo>('DELETE', `/todos/${todo.id}`);
  expect(body).toMatchObject({ title: '', content: null, deletedAt: now() });
  expect(await team.events(seq)).toEqual(['message.deleted', 'note.deleted', 'todo.deleted']);
  expect([(await team.notes()).items, (await team.todos()).items]).toEqual([[], []]);
});

const DAY_MS = 24 * 60 * 60 * 1000;
const restore = (caller: UserCaller, { id }: { id: string }) => caller.outcome('POST', `/items/${id}/restoration`);
const deletedFor = ({ request }: Pick<UserCaller, 'request'>, hubId: string, query: object = {}) =>
  request('GET /hubs/{hubId}/deleted-items', { hubId, query });

test('a deleted item can be restored and read by its author, the user who deleted it and admins of the Hub, and by nobody else', async () => {
  const { hub } = base;
  const team = await newTeam();
  const { ada, bob, hubId } = team;
  const cid = await memberOf(hub, hubId);
  const admin = await memberOf(hub, hubId, { role: 'admin' });
  const outsider = await signedIn(hub, { role: 'admin' });
  const message = await team.message(ada, 'secret');
  const note = await team.note(ada, { content: 'secret' });
  const posted = await team.post('messages', { text: 'secret' });
  await ada.json('DELETE', `/messages/${message.id}`);
  await bob.json('DELETE', `/notes/${note.id}`);
  await admin.json('DELETE', `/messages/${posted.id}`);
  for (const [caller, readable] of [
    [ada, [note, message]],
    [bob, [note]],
    [cid, []],
    [admin, [posted, note, message]],
    [hub.admin, [posted, note, message]],
  ] as const)
    expect(idsOf((await deletedFor(caller, hubId)).items)).toEqual(idsOf(readable));
  expect((await deletedFor(admin, hubId)).items[0]).toEqual({ ...posted, deletedAt: now() });

  for (const item of [message, note, posted]) expect(await restore(cid, item)).toStartWith('403 Only its author');
  expect(await restore(bob, message)).toStartWith('403 Only its author');
  expect(await restore(outsider, message)).toStartWith('403');
  expect(await restore(ada, { id: 'msg_0' })).toBe('404 There is no item msg_0.');
  const seq = await team.seq();
  expect([await restore(bob, note), await restore(admin, message), await restore(admin, posted)]).toEqual(
    Array(3).fill('200'),
  );
  expect(await team.events(seq)).toEqual(['note.restored', 'message.restored', 'message.restored']);
  const [entry] = (await hub.admin.audit('?limit=1')).items;
  expect(entry).toMatchObject({ action: 'item.restored', actor: { id: admin.user.id }, targetId: posted.id });
  expect(JSON.stringify(entry)).not.toContain('secret');
});

test('a deleted item is restored in its place, with its text, replies, reactions, mentions, read state and conversion', async () => {
  await using team = await startTeam();
  const { ada, bob, hubId } = team;
  await team.message(ada, 'before');
  const message = await team.message(ada, 'A spoonbill for @Bob');
  await team.message(ada, 'after');
  await bob.json('PUT', `/messages/${message.id}/reactions/👍`);
  const reply = await team.reply(bob, message, 'a reply');
  const { body: todo } = await bob.json<Todo>('POST', `/messages/${message.id}/conversion`, { to: 'todo' });
  const found = async () => (await bob.request('GET /search', { query: { q: 'spoonbill' } })).items;
  const shown = async () => ({
    message: await team.show(message),
    list: (await team.messages()).items,
    replies: (await bob.request('GET /items/{itemId}/replies', { itemId: message.id })).items,
    unread: (await bob.request('GET /hubs/{hubId}', { hubId })).unreadMentionIds,
    found: idsOf(await found()).toSorted(),
  });
  const before = await shown();
  expect(before.found).toEqual([message.id, todo.id].toSorted());

  for (const path of [`/messages/${reply.id}`, `/todos/${todo.id}`]) await bob.json('DELETE', path);
  await ada.json('DELETE', `/messages/${message.id}`);
  expect(await found()).toEqual([]);
  team.hub.clock.advance(29 * DAY_MS);
  const seq = await team.seq();
  expect(await restore(ada, message)).toBe('200');
  for (const item of [reply, todo]) expect(await restore(bob, item)).toBe('200');
  // A repeated request changes nothing.
  expect(await restore(ada, message)).toBe('200');
  expect(await team.events(seq)).toEqual([
    ...['message.restored', 'message.restored', 'message.changed', 'todo.restored', 'message.changed'],
  ]);
  expect(await shown()).toEqual(before);
  expect(await deletedFor(ada, hubId)).toEqual({ items: [], next: null });
});

test('a deleted item is listed page by page, and can be restored for 30 days, until it is erased', async () => {
  await using team = await startTeam();
  const { ada, hubId, hub } = team;
  const [one, two] = [await team.note(ada, { content: 'one' }), await team.note(ada, { content: 'two' })];
  for (const { id } of [one, two]) await ada.json('DELETE', `/notes/${id}`);
  const first = await deletedFor(ada, hubId, { limit: 1 });
  const last = await deletedFor(ada, hubId, { limit: 1, before: first.next });
  expect([idsOf(first.items), idsOf(last.items), last.next]).toEqual([[two.id], [one.id], null]);
  hub.clock.advance(30 * DAY_MS);
  const again = await signIn(hub, ada.user);
  expect(await restore(again, one)).toStartWith('200');
  hub.clock.advance(1);
  const late = '409 This was deleted more than 30 days ago, and cannot be restored.';
  expect([await restore(again, two), (await deletedFor(again, hubId)).items]).toEqual([late, []]);
  await hub.prune();
  expect(await restore(again, two)).toStartWith('404');
});

test('an item has an origin if it was posted with a key', async () => {
  const team = await newTeam();
  const [posted, own] = [await team.post('messages', { text: 'x' }), await team.message(team.ada, 'x')];
  const { body } = await team.bob.json('GET', `/items/${posted.id}/origin`);
  const ofKey = { keyId: team.keyId, keyDescription: null, keyLink: null, address: '192.0.2.1' };
  expect(body).toEqual({ itemId: posted.id, ...ofKey, requestId: expect.stringMatching(/^req_/) });
  const error = await team.bob.outcome('GET', `/items/${own.id}/origin`);
  expect(error).toStartWith(`404 ${own.id} was written by a member`);
});
