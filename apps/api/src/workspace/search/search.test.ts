import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import { AppError } from '../../platform/errors.ts';
import type { SearchQuery } from '../../storage/store.ts';
import { searchTerms } from './search-items.ts';

const hub = shared(startTestHub);
const team = shared(() => teamOn(hub, ['Ada Lovelace', 'Bob Kahn']));
const other = shared(() => teamOn(hub, ['Carol Shaw', 'Dan Ingalls']));
const search = (caller: UserCaller, q: string, query: object = {}) =>
  caller.request('GET /search', { query: { q, ...query } });
const idsOf = async (...of: Parameters<typeof search>) => (await search(...of)).items.map(({ id }) => id);
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('search finds messages, notes, to-dos and replies, newest first, in pages without gaps or duplicates', async () => {
  const message = await team.message(team.ada, 'The albatross has landed');
  const note = await team.note(team.bob, { title: 'Albatross', content: 'rarely seen' });
  const todo = await team.todo(team.ada, { title: 'Feed it', content: 'the albatross' });
  const reply = await team.reply(team.bob, message, 'which albatross?');
  const posted = await team.post('messages', { text: 'albatross.service failed' });
  const all = [posted.id, reply.id, todo.id, note.id, message.id];
  const { items, next } = await search(team.ada, 'albatross ');
  expect([ids(items), next]).toEqual([all, null]);
  const first = await search(team.ada, 'albatross', { limit: 3 });
  const second = await search(team.ada, 'albatross', { limit: 3, before: first.next });
  expect([...ids(first.items), ...ids(second.items), second.next]).toEqual([...all, null]);
});

test('search finds the text and link targets of HTML in a post, but not its tags and comments', async () => {
  const text =
    '<!-- pelicanbot -->\n<details><summary>Pelican&auml;</summary>\n<a href="https://gannet.example">x</a> `<guillemot>`\n</details>';
  const { id } = await team.post('messages', { text });
  for (const seen of ['pelicanä', 'gannet', 'guillemot'])
    expect([seen, await idsOf(team.ada, seen)]).toEqual([seen, [id]]);
  for (const unseen of ['pelicanbot', '"pelicanä details"', 'auml'])
    expect([unseen, await idsOf(team.ada, unseen)]).toEqual([unseen, []]);
});

test('search filters by time: at or after `from`, before `to`', async () => {
  const made: Message[] = [];
  for (let n = 0; n < 5; n += 1) {
    hub.clock.advance(40 * 60_000);
    made.push(await team.message(team.ada, `kingfisher ${n}`));
  }
  const [, second, , fourth] = made.map(({ createdAt }) => createdAt);
  for (const [query, found] of [
    [{ from: second, to: fourth }, made.slice(1, 3)],
    [{ from: fourth }, made.slice(3)],
    [{ to: second }, made.slice(0, 1)],
    [{ from: '1960-01-01T00:00Z', to: '9999-12-31T23:59Z' }, made],
  ] as const)
    expect([query, await idsOf(team.ada, 'kingfisher', query)]).toEqual([query, ids(found.toReversed())]);
});

test('search finds the replies under a deleted message, but not the message', async () => {
  const message = await team.message(team.ada, 'a hoopoe');
  const reply = await team.reply(team.bob, message, 'which hoopoe?');
  await team.ada.json('DELETE', `/messages/${message.id}`);
  for (const query of [{}, { kind: 'message' }]) expect(await idsOf(team.ada, 'hoopoe', query)).toEqual([reply.id]);
});

test('search returns nothing from a Hub to which the caller loses access while a query is running', async () => {
  const formerMember = await memberOf(hub, team.hubId);
  await team.message(team.ada, 'a passing jacana');
  const { search: working } = hub.deps;
  const meanwhile = (leave: () => Promise<unknown>): void => {
    hub.deps.search = {
      find: async (query, caller) => {
        const found = await working.find(query, caller);
        expect(found).toHaveLength(1);
        await leave();
        return found;
      },
    };
  };
  try {
    meanwhile(() => hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${formerMember.user.id}`));
    expect(await idsOf(formerMember, 'jacana')).toEqual([]);
    meanwhile(() => hub.admin.deleteHub(team.hubId));
    const path = `/search?q=jacana&hubId=${team.hubId}`;
    expect((await team.ada.json('GET', path)).status).toBe(404);
  } finally {
    hub.deps.search = working;
    await hub.admin.restoreHub(team.hubId);
  }
});

describe('simultaneous searches', () => {
  let working: typeof hub.deps.search;
  const running: string[] = [];
  const finish = new Map<string, () => void>();
  /** Holds each query until the test finishes it. */
  const find = ({ terms }: SearchQuery) => {
    const text = terms[0]?.text ?? '';
    running.push(text);
    return new Promise<number[]>((resolve) => finish.set(text, () => resolve([])));
  };
  beforeEach(() => {
    working = hub.deps.search;
    running.length = 0;
    hub.deps.search = { find };
  });
  afterEach(() => {
    hub.deps.search = working;
  });

  const ask = (caller: UserCaller, word: string, signal?: AbortSignal) =>
    caller.fetch(`/api/v1/search?q=${word}`, signal && { signal });
  /** Resolves once this many searches have begun and this many wait. */
  const until = async (begun: number, waiting: number): Promise<void> => {
    while (running.length !== begun || hub.deps.searchTurns.waiting !== waiting) await new Promise(setImmediate);
  };

  test('run one at a time for each user and in turns, and those of disconnected clients are dropped', async () => {
    const client = new AbortController();
    const asked = [ask(team.ada, 'a1')];
    await until(1, 0);
    const abandoned = ask(team.ada, 'a2', client.signal).catch(() => 'gone');
    await until(1, 1);
    asked.push(ask(team.ada, 'a3'));
    await until(1, 2);
    asked.push(ask(team.bob, 'b1'));
    await until(2, 2);
    asked.push(ask(other.ada, 'c1'));
    await until(2, 3);
    client.abort();
    expect(await abandoned).toBe('gone');
    await until(2, 2);
    finish.get('b1')?.();
    await until(3, 1);
    finish.get('a1')?.();
    await until(4, 0);
    expect(running).toEqual(['a1', 'b1', 'c1', 'a3']);
    for (const word of ['a3', 'c1']) finish.get(word)?.();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('get 503 with Retry-After after four seconds in the queue', async () => {
    const first = ask(team.ada, 'a1');
    await until(1, 0);
    const second = ask(team.ada, 'a2');
    await until(1, 1);
    hub.clock.advance(4_000);
    const rejected = await second;
    expect([rejected.status, rejected.headers.get('retry-after'), running]).toEqual([503, '3', ['a1']]);
    finish.get('a1')?.();
    expect((await first).status).toBe(200);
  });
});

test('a search that is rejected gets 400 with the reason, and 503 while the index does not respond', async () => {
  const form = 'before must be the value of next from the previous page, unchanged';
  for (const [query, message] of [
    ['?q=%20', 'q is required: enter the words to search for'],
    ['?q=!!', 'q contains no word: punctuation and emoji are not searchable'],
    [`?q=${'x'.repeat(201)}`, 'q has 201 characters; at most 200 are accepted'],
    [`?q=${'x%20'.repeat(33)}`, 'The search has 33 words; at most 32 are accepted'],
    [`?q="${'x%20'.repeat(16)}x"`, 'A phrase in the search has 17 words; at most 16 are accepted'],
    [`?q=${'x.'.repeat(17)}`, 'A phrase in the search has 17 words; at most 16 are accepted'],
    [`?q=${encodeURIComponent('環'.repeat(33))}`, 'A phrase in the search has 17 words; at most 16 are accepted'],
    ['?q=x&kind=reply', 'kind must be one of message, note, todo'],
    ['?q=x&limit=0', 'limit must be a whole number from 1 to 100'],
    ['?q=x&before=7', form],
    ['?q=x&from=yesterday', 'from must be a valid date and time'],
    ['?q=x&to=2026-03-01', 'to must be a valid date and time'],
    ['?q=x&status=gone', 'status must be one of open, done'],
    ['?q=x&hubid=7', 'hubid is not a known parameter of this list; did you mean hubId?'],
  ] as const) {
    const response = await team.ada.json('GET', `/search${query}`);
    expect([query, response.status, response.body.message]).toEqual([query, 400, expect.stringContaining(message)]);
  }
  const { search: working } = hub.deps;
  hub.deps.search = { find: () => Promise.reject(new AppError('unavailable', 'Search is temporarily unavailable')) };
  const response = await team.ada.json('GET', '/search?q=x');
  hub.deps.search = working;
  expect(response.status).toBe(503);
});

const exact = (text: string) => ({ text, isPrefix: false });
const prefix = (text: string) => ({ text, isPrefix: true });

test.each<[q: string, terms: ReturnType<typeof searchTerms>]>([
  ['one', [prefix('one')]],
  ['  one\ttwo\n', [exact('one'), exact('two')]],
  ['one"two"three', [exact('one'), exact('two'), prefix('three')]],
  ['“one two” three', [exact('one two'), prefix('three')]],
  ['"one tw', [prefix('one tw')]],
  ['"one two ', [exact('one two ')]],
  ['one - 🚀 two', [exact('one'), prefix('two')]],
  ['one 🚀', [exact('one')]],
  ['"" one', [prefix('one')]],
  ['NOT one OR NEAR(two*', [exact('NOT'), exact('one'), exact('OR'), exact('NEAR(two*')]],
  ['learn c#', [exact('learn'), exact('c#')]],
  ['"one (', [exact('one (')]],
  ['naï', [prefix('naï')]],
  ['v1.2.3', [prefix('v1.2.3')]],
])('the terms of %p', (q, terms) => expect(searchTerms(q)).toEqual(terms));
