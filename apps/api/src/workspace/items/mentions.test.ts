import { describe, expect, test } from 'bun:test';
import type { Block, Hub, Item, MentionPage, ServerFrame, StreamPage, UnreadMentions } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { startTeam, statusAndMessageOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { findMentions, readableBlocks } from './find-mentions.ts';
import { firstLine } from './first-line.ts';

async function mentions(caller: UserCaller, query = ''): Promise<string[]> {
  const { body } = await caller.json<StreamPage>('GET', `/mentions${query}`);
  return body.items.map(({ id }) => id);
}

describe('a mention', () => {
  test('is found in messages, replies, notes and to-dos by users and keys, including titles and blocks', async () => {
    await using team = await startTeam();
    const { ada, bob } = team;
    const message = await team.message(bob, 'Hi @Ada');
    const items: Item[] = [
      message,
      await team.reply(bob, message, 'and @ada lovelace'),
      await team.note(bob, { title: 'For @Ada', content: 'x' }),
      await team.todo(bob, { title: 'x', content: '@Ada, please' }),
      await team.post('messages', { text: '@Ada' }),
      await team.post('messages', { text: '@Bob', blocks: [{ type: 'paragraph', data: { text: '@Ada' } }] }),
      await team.post('notes', { content: 'x @Ada' }),
      await team.post('todos', { title: '@Ada' }),
    ];
    for (const item of items) expect(item.mentions).toEqual([ada.user.id]);
    expect(await mentions(ada)).toEqual(items.map(({ id }) => id).reverse());
    expect(await mentions(bob)).toEqual([]);
    expect(await mentions(ada, `?limit=2&before=${items[3]?.id}`)).toEqual([items[2]?.id ?? '', items[1]?.id ?? '']);
  });

  test('needs no spaces in scripts without them, and goes to everyone it may mean, also in posts by keys', async () => {
    await using team = await startTeam();
    const named = async (name: string) => (await memberOf(team.hub, team.hubId, { name })).user.id;
    const [tanaka, li] = [await named('田中太郎'), await named('李雷')];
    const graces = [await named('Grace Hopper'), await named('Grace Kelly')].sort();
    for (const [text, ids] of [
      ['@田中太郎さん', [tanaka]],
      ['＠田中太郎', [tanaka]],
      ['请@李雷 看', [li]],
      ['@Grace, please', graces],
      ['ada@Grace.org', []],
    ] as const) {
      for (const { mentions } of [await team.message(team.ada, text), await team.post('messages', { text })]) {
        expect(mentions.toSorted()).toEqual([...ids]);
      }
    }
  });

  test('is recognized only for active members of the Hub', async () => {
    await using team = await startTeam();
    await signedIn(team.hub, { name: 'Eve' });
    const gone = await memberOf(team.hub, team.hubId, { name: 'Gone' });
    expect((await team.message(team.ada, '@Gone')).mentions).toEqual([gone.user.id]);
    await team.hub.admin.raw('POST', `/users/${gone.user.id}/deactivation`);
    expect((await team.message(team.ada, '@Gone')).mentions).toEqual([]);
    expect((await team.message(team.ada, '@Eve `@Bob` bob@example.org')).mentions).toEqual([]);
  });

  test('is listed across Hubs with their event numbers, but only while the user may read the Hub', async () => {
    await using team = await startTeam();
    const other = await teamOn(team.hub, ['Cy', 'Di']);
    await addMember(team.hub, other.hubId, team.ada.user);
    const here = await team.message(team.bob, '@Ada');
    const there = await other.message(other.ada, '@Ada');
    const { body } = await team.ada.json<StreamPage>('GET', '/mentions');
    expect(body.items.map(({ id }) => id)).toEqual([there.id, here.id]);
    expect(body.seqs).toEqual({ [team.hubId]: await team.seq(), [other.hubId]: await other.seq() });
    await team.hub.admin.raw('DELETE', `/hubs/${other.hubId}/members/${team.ada.user.id}`);
    expect(await mentions(team.ada)).toEqual([here.id]);
    expect(await statusAndMessageOf(team.ada, 'GET', '/mentions?userId=x')).toStartWith(
      '400 userId is not a known parameter',
    );
    expect((await team.hub.admin.raw('GET', '/mentions')).status).toBe(403);
  });
});

const users = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'jose', name: 'José' },
  { id: 'li', name: '李雷' },
];
const found = (text: string) => [...findMentions([text], users)].sort();

describe('text mentions no one', () => {
  const cases: [string, string][] = [
    ['in code', '`@Ada` ``x ` @Ada`` \n```\n@Ada\n```\n~~~ sh\n@Ada\n~~~'],
    ['in a fence that does not end', '```\n@Ada'],
    ['in a fence within a fence', '````\n```\n@Ada\n````'],
  ];
  test.each(cases)('%s', (_, text) => expect(found(text)).toEqual([]));
});

test('unclosed backticks are text', () => {
  expect(found('` @Ada')).toEqual(['ada']);
  expect(found('`` @Ada `')).toEqual(['ada']);
  expect(found('`x` @Ada `y`')).toEqual(['ada']);
  expect(found('```\ncode\n```\n@Ada')).toEqual(['ada']);
  expect(found('``` a ``` @Ada')).toEqual(['ada']);
});

test('blocks mention users by their text, but not in code', () => {
  const blocks = (...all: [string, Record<string, unknown>][]): string =>
    readableBlocks(all.map(([type, data]) => ({ type, data }) as Block));
  const named = (text: string) => [...findMentions([text], users)].sort();
  expect(named(blocks(['paragraph', { text: 'Hi <b>@Ada</b>&nbsp;Lovelace' }]))).toEqual(['ada']);
  expect(named(blocks(['list', { style: 'unordered', items: [{ content: '@José', items: [] }] }]))).toEqual(['jose']);
  expect(named(blocks(['code', { code: '@Ada' }]))).toEqual([]);
  expect(named(blocks(['paragraph', { text: '<code class="inline-code">@Ada</code> @José' }]))).toEqual(['jose']);
  expect(named(blocks(['paragraph', { text: '<CODE>@Ada <code>@Ada</code> @Ada</CODE>' }]))).toEqual([]);
});

async function page(caller: UserCaller) {
  const { items, unreadIds } = (await caller.json<MentionPage>('GET', '/mentions')).body;
  return { ids: items.map(({ id }) => id), unreadIds };
}
const unreadIn = async (caller: UserCaller, { hubId }: Team) =>
  (await caller.json<Hub>('GET', `/hubs/${hubId}`)).body.unreadMentionIds;
const read = async (caller: UserCaller, body: object) => {
  const response = await caller.json<UnreadMentions>('PUT', '/mentions/read', body);
  expect(response.status).toBe(200);
  return response.body.unreadIds;
};

/** Sets up a reply by Ada in Bob's thread, and a note in which she mentions him. */
async function startAddressed() {
  const team = await startTeam();
  const { ada, bob } = team;
  const question = await team.message(bob, 'Who is on call?');
  const response = await team.reply(ada, question, 'I am.');
  const forBob = await team.note(ada, { content: 'For @Bob' });
  return { ...team, question, response, forBob };
}

describe('mentions and replies', () => {
  test('are listed together, and the list and the Hub say which are unread', async () => {
    await using t = await startAddressed();
    expect(await page(t.bob)).toEqual({ ids: [t.forBob.id, t.response.id], unreadIds: [t.forBob.id, t.response.id] });
    expect(await unreadIn(t.bob, t)).toEqual([t.forBob.id, t.response.id]);
    expect([await page(t.ada), await unreadIn(t.ada, t)]).toEqual([{ ids: [], unreadIds: [] }, []]);
  });

  test('are marked as read one by one or up to an item; repeating it changes nothing', async () => {
    await using t = await startAddressed();
    for (let n = 0; n < 2; n += 1) {
      expect(await read(t.bob, { itemIds: [t.forBob.id] })).toEqual({ [t.hubId]: [t.response.id] });
    }
    expect(await page(t.bob)).toEqual({ ids: [t.forBob.id, t.response.id], unreadIds: [t.response.id] });
    expect(await read(t.bob, { upTo: t.forBob.id })).toEqual({});
    expect(await unreadIn(t.bob, t)).toEqual([]);
  });

  test('are sent to the pages of that user only, when they arrive and when they are read', async () => {
    await using t = await startAddressed();
    const isUnread = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'unread' }> => frame.type === 'unread';
    using bobs = await liveClient(t.hub, t.bob.headers);
    using program = await liveClient(t.hub, (await tokenOf(t.hub, t.bob.user)).headers);
    using adas = await liveClient(t.hub, t.ada.headers);
    using others = await liveClient(t.hub, (await signedIn(t.hub)).headers);
    const unreadMentions = (frames: readonly ServerFrame[]) =>
      frames.filter(isUnread).map(({ unreadMentionIds }) => unreadMentionIds);
    const further = await t.reply(t.ada, t.question, 'Until six.');
    await bobs.until(isUnread);
    await read(t.bob, { upTo: further.id });
    await bobs.until((frame): frame is ServerFrame => isUnread(frame) && frame.unreadMentionIds.length === 0);
    expect(unreadMentions(bobs.frames)).toEqual([[further.id, t.forBob.id, t.response.id], []]);
    for (const other of [program, adas, others]) {
      await other.settled();
      expect(unreadMentions(other.frames)).toEqual([]);
    }
  });
});

describe('the first line with text', () => {
  const cases: [string, string | null][] = [
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
  ];
  test.each(cases)('of %p is %p', (markdown, line) => expect(firstLine(markdown, 255)).toBe(line));
});
