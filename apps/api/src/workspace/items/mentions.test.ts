import { describe, expect, test } from 'bun:test';
import type { Block, Hub, Item, MentionPage, ServerFrame, UnreadMentions } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, statusAndMessageOf, type Team, teamIn } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { findMentions, readableBlocks } from './find-mentions.ts';
import { firstLine } from './first-line.ts';

const base = shared(startTeam);
/** Returns a Hub of its own, of two new users called Ada and Bob and something else. */
async function newTeam(): Promise<Team> {
  surname += 1;
  const [ada, bob] = [
    await signedIn(base.hub, { name: `Ada ${surname}` }),
    await signedIn(base.hub, { name: `Bob ${surname}` }),
  ];
  return teamIn(base.hub, { ada, bob });
}
let surname = 0;

const mentions = async (caller: UserCaller, query = '') =>
  (await caller.json<MentionPage>('GET', `/mentions${query}`)).body;
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('a mention', () => {
  test('is found in messages, replies, notes and to-dos by users and keys, including titles and blocks', async () => {
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
    const page = await mentions(ada, `?limit=2&before=${items[3]?.id}`);
    expect(idsOf(page.items)).toEqual(idsOf(items.slice(1, 3)).reverse());
  });

  test('needs no spaces in scripts without them, and goes to everyone it may mean, also in posts by keys', async () => {
    const named = async (name: string) => (await memberOf(base.hub, base.hubId, { name })).user.id;
    const [tanaka, li] = [await named('田中太郎'), await named('李雷')];
    const graces = [await named('Grace Hopper'), await named('Grace Kelly')].sort();
    for (const [text, ids] of [
      ['@田中太郎さん', [tanaka]],
      ['＠田中太郎', [tanaka]],
      ['请@李雷 看', [li]],
      ['@Grace, please', graces],
      ['ada@Grace.org', []],
    ] as const) {
      for (const { mentions } of [await base.message(base.ada, text), await base.post('messages', { text })]) {
        expect(mentions.toSorted()).toEqual([...ids]);
      }
    }
  });

  test('is recognized only for active members of the Hub', async () => {
    await signedIn(base.hub, { name: 'Eve' });
    const gone = await memberOf(base.hub, base.hubId, { name: 'Gone' });
    expect((await base.message(base.ada, '@Gone')).mentions).toEqual([gone.user.id]);
    await base.hub.admin.raw('POST', `/users/${gone.user.id}/deactivation`);
    expect((await base.message(base.ada, '@Gone')).mentions).toEqual([]);
    expect((await base.message(base.ada, '@Eve `@Bob` bob@example.org')).mentions).toEqual([]);
  });

  test('is listed across Hubs with their event numbers, but only while the user may read the Hub', async () => {
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
    expect(await statusAndMessageOf(ada, 'GET', '/mentions?userId=x')).toStartWith(
      '400 userId is not a known parameter',
    );
  });
});

describe('mentions and replies', () => {
  const unreadIn = async (caller: UserCaller, { hubId }: Team) =>
    (await caller.json<Hub>('GET', `/hubs/${hubId}`)).body.unreadMentionIds;
  const read = async (caller: UserCaller, body: object) => {
    const response = await caller.json<UnreadMentions>('PUT', '/mentions/read', body);
    expect(response.status).toBe(200);
    return response.body.unreadIds;
  };

  /** Sets up a reply by Ada in Bob's thread, and a note in which she mentions him. */
  async function startAddressed() {
    const team = await newTeam();
    const question = await team.message(team.bob, 'Who is on call?');
    const response = await team.reply(team.ada, question, 'I am.');
    const forBob = await team.note(team.ada, { content: 'For @Bob' });
    return { ...team, question, response, forBob };
  }

  test('are listed together with those that are unread, and marked as read one by one or up to an item', async () => {
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

  test('are sent to the pages of that user only, when they arrive and when they are read', async () => {
    const t = await startAddressed();
    const isUnread = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'unread' }> => frame.type === 'unread';
    using bobs = await liveClient(base.hub, t.bob.headers);
    using program = await liveClient(base.hub, (await tokenOf(base.hub, t.bob.user)).headers);
    using adas = await liveClient(base.hub, t.ada.headers);
    const further = await t.reply(t.ada, t.question, 'Until six.');
    await bobs.until(isUnread);
    await read(t.bob, { upTo: further.id });
    await bobs.until((frame): frame is ServerFrame => isUnread(frame) && frame.unreadMentionIds.length === 0);
    const received = bobs.frames.filter(isUnread).map(({ unreadMentionIds }) => unreadMentionIds);
    expect(received).toEqual([[further.id, t.forBob.id, t.response.id], []]);
    for (const other of [program, adas]) {
      await other.settled();
      expect(other.frames.filter(isUnread)).toEqual([]);
    }
  });
});

const users = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'jose', name: 'José' },
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
