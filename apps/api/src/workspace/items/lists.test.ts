import { describe, expect, test } from 'bun:test';
import type { Item, StreamPage } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, teamIn } from '@hub/testkit/in-process/team';
import { signedIn, type UserCaller } from '@hub/testkit/in-process/users';

const base = shared(startTeam);
/** Returns a Hub of its own, with the same users. */
const newTeam = () => teamIn(base.hub, base);

const textOf = (item: Item) => (item.kind === 'message' ? item.text : item.kind === 'note' ? item.content : item.title);
const texts = ({ items }: { items: readonly Item[] }) => items.map(textOf);

test('the lists of a Hub contain messages, notes and to-dos separately, from the bot and from users, newest first', async () => {
  const team = await newTeam();
  const bot = await team.post('messages', { text: 'from a key' });
  const own = await team.message(team.bob, 'from Bob');
  const note = await team.note(team.bob, { title: 'Plan', content: '# Plan' });
  const todo = await team.todo(team.bob, { title: 'Do it' });
  const lists = [(await team.messages()).items, (await team.notes()).items, (await team.todos()).items];
  expect(lists).toEqual([[own, bot], [note], [todo]]);
  const createdAt = '2026-03-01T09:30:00.000Z';
  const byKey = { author: { kind: 'bot', name: 'Bot' }, key: { id: team.keyId, name: 'ci' } } as const;
  expect(bot).toMatchObject({ kind: 'message', hubId: team.hubId, createdAt, ...byKey });
  expect(own).toMatchObject({ author: { id: team.bob.user.id, kind: 'user', name: 'Bob Kahn' }, key: null });
});

test('the lists of a Hub are paged back with before and forward with after, newest first, without gaps or duplicates', async () => {
  const team = await newTeam();
  const ids: string[] = [];
  for (const text of ['1', '2', '3', '4', '5']) ids.push((await team.message(team.ada, text)).id);
  const [one, two, three, four, five] = ids;
  for (const [query, page, next] of [
    [{ limit: 2 }, ['5', '4'], four],
    [{ limit: 2, before: four }, ['3', '2'], two],
    [{ limit: 2, before: two }, ['1'], null],
    [{ limit: 2, after: one }, ['3', '2'], three],
    [{ limit: 2, after: three }, ['5', '4'], null],
    [{ after: five }, [], null],
  ] as const) {
    const list = await team.messages(query);
    expect([query, texts(list), list.next]).toEqual([query, [...page], next as string | null]);
  }
});

test('an item by a user is stored as sent, within its limits', async () => {
  const team = await newTeam();
  const due = { title: 'T', content: 'C', dueDate: '2026-05-01T10:00+02:00', priority: 'HIGH' };
  const shown = { ...due, dueDate: '2026-05-01T08:00:00.000Z', status: 'open', assignee: { name: 'Bob Kahn' } };
  expect(await team.todo(team.ada, { ...due, assigneeId: team.bob.user.id })).toMatchObject(shown as never);
  expect((await team.message(team.ada, ' **x** \n')).text).toBe(' **x** \n');
  expect(await team.note(team.ada, { content: 'C', title: null })).toMatchObject({ title: null, content: 'C' });
  for (const [list, body, error] of [
    ['messages', { text: ' ' }, '400 A message requires text or files'],
    ['messages', { text: 'x'.repeat(40_001) }, '400 text has'],
    ['messages', { text: 'x', blocks: [] }, '400 blocks is not'],
    ['notes', { title: 'x' }, '400 content is required'],
    ['todos', { title: 'x', dueDate: 'soon' }, '400 dueDate'],
  ] as const)
    expect(await team.ada.outcome('POST', `/hubs/${team.hubId}/${list}`, body)).toStartWith(error);
  expect((await team.todos()).items).toHaveLength(1);
});

test('an item by a user requires a user account: the local admin gets 403', async () => {
  const { id } = await base.message(base.ada, 'x');
  for (const path of [`/hubs/${base.hubId}/messages`, `/items/${id}/replies`]) {
    const response = await base.hub.admin.raw('POST', path, { text: 'x' });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('requires a user account; the local admin has none'),
    ]);
  }
});

const stream = (caller: UserCaller, query = '', path = '/stream') => caller.call<StreamPage>('GET', `${path}${query}`);

/** Sets up two Hubs. Ada is a member of both, and each of the others of one of them. */
async function twoTeams() {
  const [ada, bob, carol] = [await signedIn(base.hub), await signedIn(base.hub), await signedIn(base.hub)];
  const [team, other] = [await teamIn(base.hub, { ada, bob }), await teamIn(base.hub, { ada, bob: carol })];
  return { team, other, ada, bob, carol };
}

describe('the stream', () => {
  test("contains all items from the caller's Hubs, including replies, in order of arrival", async () => {
    const { team, other, ada, bob, carol } = await twoTeams();
    const message = await team.message(bob, '1 message');
    await other.note(carol, { content: '2 note' });
    await team.post('todos', { title: '3 to-do' });
    await other.post('messages', { text: '4 message of a key' });
    await team.reply(bob, message, '5 reply');
    const page = await stream(ada);
    expect(texts(page)).toEqual(['5 reply', '4 message of a key', '3 to-do', '2 note', '1 message']);
    expect(page.items[0]).toMatchObject({ kind: 'message', parentId: message.id });
    expect(page.next).toBeNull();
    expect(texts(await stream(bob))).toEqual(['5 reply', '3 to-do', '1 message']);
  });

  test('is empty for users without Hubs, and covers every Hub for the local admin', async () => {
    const { team, other } = await twoTeams();
    await team.message(team.ada, 'one');
    await other.message(other.ada, 'two');
    const stranger = await signedIn(base.hub, { role: 'admin' });
    expect(await stream(stranger)).toMatchObject({ items: [], next: null, seqs: {} });
    const { admin } = base.hub;
    expect(texts(await admin.request('GET /stream', { query: { limit: 2 } }))).toEqual(['two', 'one']);
    expect((await admin.raw('GET', '/stream?unread=true')).status).toBe(400);
  });

  test('with unread=true, contains only unread items by others, and only replies that are addressed to the user', async () => {
    const { team, other, ada, bob, carol } = await twoTeams();
    await base.hub.admin.raw('PATCH', `/users/${ada.user.id}`, { name: 'Una' });
    await team.message(bob, 'read');
    await ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
    await team.message(bob, 'news');
    await team.message(ada, 'my own');
    const taken = await team.message(bob, 'taken back');
    await team.reply(bob, taken, 'and a reply to @Una');
    await team.reply(bob, taken, 'and one to nobody');
    await bob.json('DELETE', `/messages/${taken.id}`);
    await other.message(carol, 'elsewhere');
    const unread = async (query = '') => texts(await stream(ada, `?unread=true${query}`));
    expect(await unread()).toEqual(['elsewhere', 'and a reply to @Una', 'news']);
    expect(await unread(`&hubId=${team.hubId}`)).toEqual(['and a reply to @Una', 'news']);
    expect(await unread(`&limit=1&hubId=${team.hubId}`)).toEqual(['and a reply to @Una']);
    const [first] = (await stream(ada)).items.toReversed();
    const up = await stream(ada, `?unread=true&limit=1&after=${first?.id}`);
    expect([texts(up), await unread(`&after=${up.next}`)]).toEqual([['news'], ['elsewhere', 'and a reply to @Una']]);
    expect((await stream(ada, '?unread=false')).items).toHaveLength(7);
  });
});

test('the lists, the stream and the to-dos across Hubs can be filtered by Hub, kind, key, author, status and assignee', async () => {
  const { team, other, ada, bob } = await twoTeams();
  const message = await team.message(ada, 'message');
  await team.reply(ada, message, 'reply');
  await team.message(bob, 'of Bob');
  const here = await team.todo(bob, { title: 'here', assigneeId: ada.user.id });
  await team.todo(ada, { title: 'free' });
  const there = await other.post('todos', { title: 'there' });
  await ada.json('PATCH', `/todos/${here.id}`, { status: 'done' });
  await ada.json('PATCH', `/todos/${there.id}`, { assigneeId: ada.user.id });
  const [hubId, otherId] = [`hubId=${team.hubId}`, `hubId=${other.hubId}`];
  const cases: [path: string, query: string, found: string[]][] = [
    ['/stream', otherId, ['there']],
    ['/stream', 'kind=message', ['of Bob', 'reply', 'message']],
    ['/stream', `kind=message&${otherId}`, []],
    ['/stream', `keyId=${other.keyId}`, ['there']],
    ['/stream', `keyId=${team.keyId}`, []],
    ['/stream', 'authorId=me', ['free', 'reply', 'message']],
    ['/stream', `authorId=${bob.user.id}`, ['here', 'of Bob']],
    ['/stream', `authorId=me&keyId=${other.keyId}`, []],
    ['/todos', '', ['there', 'free', 'here']],
    ['/todos', 'assigneeId=me', ['there', 'here']],
    ['/todos', 'assigneeId=me&status=open', ['there']],
    ['/todos', `assigneeId=me&${hubId}`, ['here']],
    ['/todos', 'assigneeId=none', ['free']],
    ['/todos', 'status=done', ['here']],
    ['/todos', `assigneeId=me&after=${here.id}`, ['there']],
    ['/todos', 'authorId=me', ['free']],
    ['/todos', `assigneeId=me&authorId=${bob.user.id}`, ['here']],
    ['/todos', `keyId=${other.keyId}`, ['there']],
    [`/hubs/${team.hubId}/messages`, 'authorId=me', ['message']],
    [`/hubs/${team.hubId}/messages`, `authorId=${bob.user.id}`, ['of Bob']],
    [`/hubs/${team.hubId}/messages`, `keyId=${team.keyId}`, []],
    [`/hubs/${other.hubId}/todos`, `keyId=${other.keyId}`, ['there']],
    [`/hubs/${team.hubId}/todos`, 'assigneeId=me', ['here']],
    [`/hubs/${team.hubId}/todos`, `assigneeId=${ada.user.id}&status=open`, []],
    [`/hubs/${team.hubId}/todos`, 'assigneeId=none', ['free']],
    [`/hubs/${team.hubId}/todos`, 'status=open', ['free']],
    [`/hubs/${team.hubId}/todos`, 'status=done', ['here']],
  ];
  for (const [path, query, found] of cases) {
    expect([path, query, texts(await stream(ada, `?${query}`, path))]).toEqual([path, query, found]);
  }
  await base.hub.flushKeys();
  const postingKeys = async ({ hubId }: { hubId?: string } = {}) =>
    (await ada.request('GET /stream/keys', { query: { hubId } })).items.map(({ id }) => id);
  expect((await postingKeys()).filter((id) => [team.keyId, other.keyId].includes(id))).toEqual([other.keyId]);
  expect([await postingKeys(team), await postingKeys(other)]).toEqual([[], [other.keyId]]);
  // Users who leave a Hub no longer see their to-dos there.
  await base.hub.admin.raw('DELETE', `/hubs/${other.hubId}/members/${ada.user.id}`);
  expect(texts(await stream(ada, '?assigneeId=me', '/todos'))).toEqual(['here']);
  expect(await postingKeys()).not.toContain(other.keyId);
});
