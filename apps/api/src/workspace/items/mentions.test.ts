import { expect, test } from 'bun:test';
import type { Block, Item, ServerFrame, UnreadMentions } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, type Team, teamOn } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { firstLine } from './first-line.ts';
import { findMentions, readableBlocks } from './mentions.ts';

const base = shared(startTeam);
let surname = 0;
/** Returns a Hub of its own, of two new users called Ada and Bob and something else. */
const newTeam = () => {
  surname += 1;
  return teamOn(base.hub, [`Ada ${surname}`, `Bob ${surname}`]);
};

const mentions = (caller: UserCaller, query: object = {}) => caller.request('GET /mentions', { query });
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('a mention from before counts as read for a member who joins again', async () => {
  const { hubId, ada, bob, message } = await newTeam();
  await message(ada, `@${bob.user.name}`);
  await bob.call('DELETE', `/hubs/${hubId}/members/${bob.user.id}`);
  await addMember(base.hub, hubId, bob.user);
  expect((await mentions(bob)).unreadIds).toEqual([]);
});

test('a mention is found in messages, replies, notes and to-dos by users and keys, including titles and blocks', async () => {
  const team = await newTeam();
  const { ada, bob } = team;
  const message = await team.message(bob, 'Hi @Ada');
  const items: Item[] = [
    message,
    await team.reply(bob, message, `and @${ada.user.name.toLowerCase()}`),
    await team.note(bob, { title: 'For @Ada', content: 'x' }),
    await team.todo(bob, { title: 'x', content: '@Ada, please' }),
    await team.post('messages', { text: '@Ada' }),
    await team.post('messages', { text: '@Bob', blocks: [{ type: 'paragraph', data: { text: '@Ada' } }] }),
    await team.post('notes', { content: 'x @Ada' }),
    await team.post('todos', { title: '@Ada' }),
  ];
  for (const item of items) expect(item.mentions).toEqual([ada.user.id]);
  expect(idsOf((await mentions(ada)).items)).toEqual(idsOf(items).reverse());
  expect((await mentions(bob)).items).toEqual([]);
  const page = await mentions(ada, { limit: 2, before: items[3]?.id });
  expect(idsOf(page.items)).toEqual(idsOf(items.slice(1, 3)).reverse());
});

test('a mention is recognized only for active members of the Hub', async () => {
  await signedIn(base.hub, { name: 'Eve' });
  const gone = await memberOf(base.hub, base.hubId, { name: 'Gone' });
  expect((await base.message(base.ada, '@Gone')).mentions).toEqual([gone.user.id]);
  await base.hub.admin.raw('POST', `/users/${gone.user.id}/deactivation`);
  expect((await base.message(base.ada, '@Gone')).mentions).toEqual([]);
  expect((await base.message(base.ada, '@Eve `@Bob` bob@example.org')).mentions).toEqual([]);
});

test('a mention is listed across Hubs with their event numbers, but only while the user may read the Hub', async () => {
  const [team, other] = [await newTeam(), await newTeam()];
  const { ada } = team;
  await addMember(base.hub, other.hubId, ada.user);
  const here = await team.message(team.bob, '@Ada');
  const there = await other.message(other.bob, `@${ada.user.name}`);
  const { items, seqs } = await mentions(ada);
  expect(idsOf(items)).toEqual([there.id, here.id]);
  expect(seqs).toEqual({ [team.hubId]: await team.seq(), [other.hubId]: await other.seq() });
  await base.hub.admin.raw('DELETE', `/hubs/${other.hubId}/members/${ada.user.id}`);
  expect(idsOf((await mentions(ada)).items)).toEqual([here.id]);
});

test('@hub and @here mention all other members, and those who have a page open, in messages and replies by members', async () => {
  const team = await newTeam();
  const { ada, bob } = team;
  const eve = await memberOf(base.hub, team.hubId, { name: 'Eve Adams' });
  using _pages = await liveClient(base.hub, bob.headers);
  // A token has no page.
  using _token = await liveClient(base.hub, (await tokenOf(base.hub, eve.user)).headers);
  const message = await team.message(ada, 'Lunch, @hub?');
  expect(message.mentions).toEqual([bob.user.id, eve.user.id].sort());
  expect((await team.reply(ada, message, 'Or now, ＠Here')).mentions).toEqual([bob.user.id]);
  expect((await team.message(bob, '@here is nobody else')).mentions).toEqual([]);
  expect(idsOf((await mentions(eve)).items)).toEqual([message.id]);
  for (const item of [
    await team.message(ada, '`@hub` @hubs a@here'),
    await team.post('messages', { text: '@hub @here' }),
    await team.note(ada, { content: '@hub' }),
  ])
    expect(item.mentions).toEqual([]);
});

test('@hub and @here notify nobody by an edit, and mention the same members until an edit removes them', async () => {
  const team = await newTeam();
  const { ada, bob } = team;
  const edit = async ({ id }: { id: string }, text: string) =>
    (await ada.json<Item>('PATCH', `/messages/${id}`, { text })).body.mentions;
  expect(await edit(await team.message(ada, 'Lunch?'), 'Lunch, @hub?')).toEqual([]);
  const message = await team.message(ada, 'Lunch, @hub?');
  await memberOf(base.hub, team.hubId, { name: 'Late Comer' });
  expect(await edit(message, 'Lunch at one, @hub?')).toEqual([bob.user.id]);
  expect(await edit(message, 'Lunch at one?')).toEqual([]);
});

test('a thread is followed by who takes part in it or asks to, and by nobody who has muted it', async () => {
  const team = await newTeam();
  const { ada, bob } = team;
  const eve = await memberOf(base.hub, team.hubId, { name: 'Eve Baker' });
  const message = await team.message(bob, 'Who is on call?');
  const path = `/me/notifications/threads/${message.id}`;
  const state = async (caller: UserCaller, mode?: string) => {
    const { body } = await (mode ? caller.json('PUT', path, { mode }) : caller.json('GET', path));
    expect(body.itemId).toBe(message.id);
    return [body.mode, body.isFollowing];
  };
  const recipients = async () => {
    const reply = await team.reply(ada, message, 'I am.');
    const listed = [];
    for (const each of [ada, bob, eve])
      if (idsOf((await mentions(each)).items).includes(reply.id)) listed.push(each.user.id);
    return listed;
  };
  expect([await state(bob), await state(eve)]).toEqual([
    ['usual', true],
    ['usual', false],
  ]);
  expect(await state(eve, 'every')).toEqual(['every', true]);
  expect(await recipients()).toEqual([bob.user.id, eve.user.id]);
  expect(await state(bob, 'muted')).toEqual(['muted', false]);
  expect(await recipients()).toEqual([eve.user.id]);
  expect((await team.reply(ada, message, `@${bob.user.name}`)).mentions).toEqual([bob.user.id]);
  expect(await state(bob, 'usual')).toEqual(['usual', true]);
  expect(await bob.request('GET /me/notifications')).toMatchObject({ hubs: [], keys: [] });
  // A member who leaves the Hub no longer follows.
  await base.hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${eve.user.id}`);
  expect(await recipients()).toEqual([bob.user.id]);
  expect(await bob.outcome('PUT', path, { mode: 'loud' })).toStartWith('400 ');
  const reply = await team.reply(ada, message, 'x');
  expect(await bob.outcome('GET', path.replace(message.id, reply.id))).toStartWith('400 ');
});

const unreadIn = async ({ request }: UserCaller, { hubId }: Team) =>
  (await request('GET /hubs/{hubId}', { hubId })).unreadMentionIds;
const read = async (caller: UserCaller, body: object) =>
  (await caller.call<UnreadMentions>('PUT', '/mentions/read', body)).unreadIds;

/** Sets up a reply by Ada in Bob's thread, and a note in which she mentions him. */
async function startAddressed() {
  const team = await newTeam();
  const question = await team.message(team.bob, 'Who is on call?');
  const response = await team.reply(team.ada, question, 'I am.');
  const forBob = await team.note(team.ada, { content: 'For @Bob' });
  return { ...team, question, response, forBob };
}

test('mentions and replies include replies to notes and to-dos, which are read with their threads', async () => {
  const t = await startAddressed();
  const todo = await t.todo(t.bob, { title: 'Renew it' });
  const reply = await t.reply(t.ada, todo, 'Done by Friday.');
  expect(await unreadIn(t.bob, t)).toContain(reply.id);
  await t.bob.json('PUT', `/items/${todo.id}/replies/read`, { seq: reply.seq });
  expect(await unreadIn(t.bob, t)).not.toContain(reply.id);
});

test('mentions and replies are listed together with those that are unread, and marked as read one by one or up to an item', async () => {
  const t = await startAddressed();
  const ids = [t.forBob.id, t.response.id];
  const page = async (caller: UserCaller) => {
    const { items, unreadIds } = await mentions(caller);
    return [idsOf(items), unreadIds];
  };
  expect([await page(t.bob), await unreadIn(t.bob, t)]).toEqual([[ids, ids], ids]);
  expect([await page(t.ada), await unreadIn(t.ada, t)]).toEqual([[[], []], []]);
  for (let n = 0; n < 2; n += 1) {
    expect(await read(t.bob, { itemIds: [t.forBob.id] })).toEqual({ [t.hubId]: [t.response.id] });
  }
  expect(await page(t.bob)).toEqual([ids, [t.response.id]]);
  expect(await read(t.bob, { upTo: t.forBob.id })).toEqual({});
  expect(await unreadIn(t.bob, t)).toEqual([]);
});

test('mentions and replies are sent to the pages of that user only, when they arrive and when they are read', async () => {
  const t = await startAddressed();
  const isUnread = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'unread' }> => frame.type === 'unread';
  using bobs = await liveClient(base.hub, t.bob.headers);
  using program = await liveClient(base.hub, (await tokenOf(base.hub, t.bob.user)).headers);
  using adas = await liveClient(base.hub, t.ada.headers);
  const further = await t.reply(t.ada, t.question, 'Until six.');
  await bobs.until('unread');
  await read(t.bob, { upTo: further.id });
  await bobs.until('unread', ({ unreadMentionIds }) => unreadMentionIds.length === 0);
  const received = bobs.frames.filter(isUnread).map(({ unreadMentionIds }) => unreadMentionIds);
  expect(received).toEqual([[further.id, t.forBob.id, t.response.id], []]);
  for (const other of [program, adas]) {
    await other.settled();
    expect(other.frames.filter(isUnread)).toEqual([]);
  }
});

const users = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'jose', name: 'José' },
  { id: 'hopper', name: 'Grace Hopper' },
  { id: 'kelly', name: 'Grace Kelly' },
];
const mentionedIn = (text: string) => [...findMentions([text], users)].sort();

test.each<[string, string[]]>([
  ['`@Ada` ``x ` @Ada`` \n```\n@Ada\n```\n~~~ sh\n@Ada\n~~~', []],
  ['```\n@Ada', []],
  ['````\n```\n@Ada\n````', []],
  // Backticks that are not closed are text.
  ['` @Ada', ['ada']],
  ['`` @Ada `', ['ada']],
  ['`x` @Ada `y`', ['ada']],
  ['```\ncode\n```\n@Ada', ['ada']],
  ['``` a ``` @Ada', ['ada']],
  ['@Grace', ['hopper', 'kelly']],
])('code mentions no one: %j mentions %j', (text, ids) => expect(mentionedIn(text)).toEqual(ids));

test.each<[type: string, data: object, ids: string[]]>([
  ['paragraph', { text: 'Hi <b>@Ada</b>&nbsp;Lovelace' }, ['ada']],
  ['list', { style: 'unordered', items: [{ content: '@José', items: [] }] }, ['jose']],
  ['code', { code: '@Ada' }, []],
  ['paragraph', { text: '<code class="inline-code">@Ada</code> @José' }, ['jose']],
  ['paragraph', { text: '<CODE>@Ada <code>@Ada</code> @Ada</CODE>' }, []],
])('a block of type %s with %j mentions %j', (type, data, ids) =>
  expect(mentionedIn(readableBlocks([{ type, data } as Block]))).toEqual(ids),
);

test.each<[markdown: string, line: string | null]>([
  ['Hello', 'Hello'],
  ['\n\n  Hello \nWorld', 'Hello'],
  ['# Deploy **finished** in `42 s`', 'Deploy finished in 42 s'],
  ['> - [x] *done*', 'done'],
  ['1. first', 'first'],
  ['---\n```\ncode', 'code'],
  ['See [the log](https://example.org/a_b) now', 'See the log now'],
  ['![a diagram](https://example.org/x.png)', 'a diagram'],
  ['[![age](https://example.org/x.png)](https://example.org/why) of it', 'age of it'],
  ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
  ['_emphasis_ ~~gone~~', 'emphasis gone'],
  ['#1 in line', '#1 in line'],
  ['🎉', '🎉'],
  ['<!-- generated -->\n<details><summary>Release <b>notes</b></summary>\n\nmore', 'Release notes'],
  ['<img src="https://example.org/x.png" alt="a graph"><br>x', 'a graph x'],
  ['> [!WARNING]\n> Take care', 'Take care'],
  ['Vec<T> &auml; `<b>` :rocket:', 'Vec<T> ä <b> 🚀'],
  ['  \n***\n', null],
  ['', null],
])('the first line with text of %p is %p', (markdown, line) => expect(firstLine(markdown, 255)).toBe(line));
