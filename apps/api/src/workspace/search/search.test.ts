import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Item, Message } from '@hub/contract';
import { type Team, teamOn } from '@hub/testkit/in-process/team';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { AppError } from '../../platform/errors.ts';
import type { SearchQuery } from '../../storage/item-search.ts';

interface Found {
  items: Item[];
  next: string | null;
}

let hub: TestHub;
let team: Team;
let other: Team;

beforeAll(async () => {
  hub = await startTestHub();
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  other = await teamOn(hub, ['Carol Shaw', 'Dan Ingalls']);
});
afterAll(() => hub[Symbol.asyncDispose]());

async function search(caller: UserCaller, q: string, query = ''): Promise<Found> {
  const response = await caller.json<Found>('GET', `/search?q=${encodeURIComponent(q)}${query}`);
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}
const idsOf = async (...of: Parameters<typeof search>) => (await search(...of)).items.map(({ id }) => id);
const ids = (items: { id: string }[]) => items.map(({ id }) => id);

describe('search', () => {
  test('finds messages, notes, to-dos and replies, newest first, in the same form as elsewhere', async () => {
    const message = await team.message(team.ada, 'The albatross has landed');
    const note = await team.note(team.bob, { title: 'Albatross', content: 'rarely seen' });
    const todo = await team.todo(team.ada, { title: 'Feed it', content: 'the albatross' });
    const reply = await team.reply(team.bob, message, 'which albatross?');
    const posted = await team.post('messages', { text: 'albatross.service failed' });
    const { items, next } = await search(team.ada, 'albatross ');
    expect(ids(items)).toEqual([posted.id, reply.id, todo.id, note.id, message.id]);
    expect(items[0]).toEqual(await team.show(posted));
    expect(items[4]).toEqual(await team.show<Message>(message));
    expect(next).toBeNull();
  });

  test('treats the last word as a prefix until a space follows', async () => {
    const { id } = await team.message(team.ada, 'a cassowary');
    expect(await idsOf(team.ada, 'casso')).toEqual([id]);
    expect(await idsOf(team.ada, 'casso ')).toEqual([]);
    expect(await idsOf(team.ada, '"a casso')).toEqual([id]);
    expect(await idsOf(team.ada, '"casso"')).toEqual([]);
    const cpp = await team.message(team.ada, 'the C++ of the emu');
    expect(await idsOf(team.ada, 'emu c++')).toEqual([cpp.id]);
    await team.message(team.ada, 'the cassowary beside the emu');
    expect(await idsOf(team.ada, 'emu c++')).toEqual([cpp.id]);
  });

  test('finds the text and link targets of HTML in a post, but not its tags and comments', async () => {
    const text =
      '<!-- pelicanbot -->\n<details><summary>Pelican&auml;</summary>\n<a href="https://gannet.example">x</a> `<guillemot>`\n</details>';
    const { id } = await team.post('messages', { text });
    for (const seen of ['pelicanä', 'gannet', 'guillemot'])
      expect([seen, await idsOf(team.ada, seen)]).toEqual([seen, [id]]);
    for (const unseen of ['pelicanbot', '"pelicanä details"', 'auml'])
      expect([unseen, await idsOf(team.ada, unseen)]).toEqual([unseen, []]);
  });

  test('filters by the current status of to-dos', async () => {
    const first = await team.todo(team.ada, { title: 'Count the razorbills' });
    const second = await team.todo(team.ada, { title: 'Feed the razorbills' });
    await team.message(team.ada, 'razorbills everywhere');
    expect(await idsOf(team.ada, 'razorbills', '&status=open')).toEqual([second.id, first.id]);
    await team.ada.json('PATCH', `/todos/${second.id}`, { status: 'done' });
    expect(await idsOf(team.ada, 'razorbills', '&status=open')).toEqual([first.id]);
    await team.ada.json('PATCH', `/todos/${first.id}`, { status: 'done' });
    expect(await idsOf(team.ada, 'razorbills', '&status=done&kind=todo')).toEqual([second.id, first.id]);
    expect(await idsOf(team.ada, 'razorbills', '&status=open')).toEqual([]);
    expect(await idsOf(team.ada, 'razorbills', '&status=done&kind=note')).toEqual([]);
  });

  test('filters by time: at or after `from`, before `to`', async () => {
    const made: Message[] = [];
    for (let n = 0; n < 5; n += 1) {
      hub.clock.advance(40 * 60_000);
      made.push(await team.message(team.ada, `kingfisher ${n}`));
    }
    const [, second, , fourth] = made;
    const between = async (from?: string, to?: string) =>
      idsOf(team.ada, 'kingfisher', `${from ? `&from=${from}` : ''}${to ? `&to=${to}` : ''}`);
    expect(await between(second?.createdAt, fourth?.createdAt)).toEqual(ids(made.slice(1, 3).toReversed()));
    expect(await between(fourth?.createdAt)).toEqual(ids(made.slice(3).toReversed()));
    expect(await between(undefined, second?.createdAt)).toEqual(ids(made.slice(0, 1)));
    expect(await between('2030-01-01T00:00Z')).toEqual([]);
    expect(await between('1960-01-01T00:00Z', '9999-12-31T23:59Z')).toEqual(ids(made.toReversed()));
    for (const wrong of ['from=yesterday', 'to=2026-03-01', 'status=gone']) {
      const rejected = await team.ada.json('GET', `/search?q=kingfisher&${wrong}`);
      expect([wrong, rejected.status]).toEqual([wrong, 400]);
    }
  });

  test('reflects edits and deletions', async () => {
    const message = await team.message(team.ada, 'a flamingo');
    await team.ada.json('PATCH', `/messages/${message.id}`, { text: 'a spoonbill' });
    expect(await idsOf(team.ada, 'flamingo')).toEqual([]);
    expect(await idsOf(team.ada, 'spoonbill')).toEqual([message.id]);
    await team.ada.json('DELETE', `/messages/${message.id}`);
    expect(await idsOf(team.ada, 'spoonbill')).toEqual([]);
  });

  test('finds the replies under a deleted message, but not the message', async () => {
    const message = await team.message(team.ada, 'a hoopoe');
    const reply = await team.reply(team.bob, message, 'which hoopoe?');
    expect(await idsOf(team.ada, 'hoopoe')).toEqual([reply.id, message.id]);
    await team.ada.json('DELETE', `/messages/${message.id}`);
    expect(await idsOf(team.ada, 'hoopoe')).toEqual([reply.id]);
  });

  test('continues at its cursor while others write and delete', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 6; n += 1) sent.unshift((await team.message(team.ada, `dunlin ${n}`)).id);
    const first = await search(team.ada, 'dunlin', '&limit=2');
    await team.message(team.bob, 'dunlin, later');
    for (const id of [sent[1], sent[2]]) await team.ada.json('DELETE', `/messages/${id}`);
    const second = await search(team.ada, 'dunlin', `&limit=2&before=${first.next}`);
    expect([ids(first.items), ids(second.items)]).toEqual([sent.slice(0, 2), sent.slice(3, 5)]);
    expect(await idsOf(team.ada, 'dunlin', `&before=${second.next}`)).toEqual(sent.slice(5));
  });

  test('treats FTS and SQL syntax as plain text, up to the maximum length', async () => {
    const { id } = await team.message(team.ada, 'AND then OR, NEAR(quail) NOT -- body:quail * ^ quail');
    for (const q of [
      'AND',
      'OR',
      'NOT',
      'NEAR(quail)',
      '"NEAR quail"',
      'body:quail',
      '^quail',
      'quail*',
      "quail' --",
    ]) {
      expect([q, await idsOf(team.ada, q, `&hubId=${team.hubId}`)]).toEqual([q, [id]]);
    }
    for (const q of ['quail AND absent', 'quail OR absent', 'absent OR quail', 'facets:kindmessage', "' OR 1=1 --"]) {
      expect([q, await idsOf(team.ada, q)]).toEqual([q, []]);
    }
    expect(await idsOf(team.ada, 'quail '.repeat(32))).toEqual([id]);
    expect(await idsOf(team.ada, `quail ${'"'.repeat(190)}`)).toEqual([id]);
    expect(await idsOf(team.ada, `"${'quail '.repeat(16)}" "${'quail '.repeat(16)}"`)).toEqual([]);
    expect(await idsOf(team.ada, '環'.repeat(32))).toEqual([]);
  });

  test('returns consecutive pages without gaps or duplicates', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) sent.push((await team.message(team.ada, `puffin ${n}`)).id);
    const first = await search(team.ada, 'puffin', '&limit=2');
    const second = await search(team.ada, 'puffin', `&limit=2&before=${first.next}`);
    const third = await search(team.ada, 'puffin', `&limit=2&before=${second.next}`);
    expect([...ids(first.items), ...ids(second.items), ...ids(third.items)]).toEqual(sent.toReversed());
    expect(third.next).toBeNull();
  });

  test('ends a page at the maximum size, and continues from there on the next one', async () => {
    const content = `capybara ${'x'.repeat(60_000)}`;
    const written: string[] = [];
    for (let n = 0; n < 12; n += 1) written.unshift((await team.note(team.ada, { title: `${n}`, content })).id);
    const read: string[] = [];
    const lengths: number[] = [];
    for (let before = ''; ; ) {
      const page = await search(team.ada, 'capybara', `&limit=100${before}`);
      read.push(...ids(page.items));
      lengths.push(page.items.length);
      if (page.next === null) break;
      before = `&before=${page.next}`;
    }
    expect(read).toEqual(written);
    expect(lengths).toEqual([4, 4, 4]);
  });

  test('filters by Hub, kind, key and author', async () => {
    const mine = await team.message(team.ada, 'shoebill');
    const posted = await team.post('notes', { content: 'shoebill' });
    expect(await idsOf(team.bob, 'shoebill', '&kind=note')).toEqual([posted.id]);
    expect(await idsOf(team.bob, 'shoebill', `&keyId=${team.keyId}`)).toEqual([posted.id]);
    expect(await idsOf(team.bob, 'shoebill', `&authorId=${team.ada.user.id}`)).toEqual([mine.id]);
    expect(await idsOf(team.ada, 'shoebill', '&authorId=me')).toEqual([mine.id]);
    expect(await idsOf(team.bob, 'shoebill', '&authorId=me')).toEqual([]);
    expect(await idsOf(team.ada, 'shoebill', `&hubId=${team.hubId}`)).toEqual([posted.id, mine.id]);
  });

  test('covers, for the local admin, all Hubs that are not deleted', async () => {
    const { id: hubId } = await hub.admin.createHub('Short-lived');
    const { key } = await hub.admin.issueKey({ hubId });
    await post(hub, 'messages', key, { text: 'thylacine' });
    const found = async () =>
      ((await (await hub.admin.raw('GET', '/search?q=thylacine')).json()) as Found).items.length;
    expect(await found()).toBe(1);
    await hub.admin.deleteHub(hubId);
    expect(await found()).toBe(0);
    await hub.admin.restoreHub(hubId);
    expect(await found()).toBe(1);
  });
});

describe('search access', () => {
  test('returns nothing to members of other Hubs, whatever they filter by, or to admins who are not members', async () => {
    const secret = await team.message(team.ada, 'the coelacanth lives');
    const posted = await team.post('messages', { text: 'coelacanth' });
    const admin = await signedIn(hub, { role: 'admin' });
    for (const caller of [other.ada, await tokenOf(hub, other.bob.user), admin]) {
      expect(await idsOf(caller, 'coelacanth')).toEqual([]);
      expect(await idsOf(caller, 'coelacanth', `&keyId=${team.keyId}`)).toEqual([]);
      expect(await idsOf(caller, 'coelacanth', `&authorId=${team.ada.user.id}`)).toEqual([]);
    }
    expect(await idsOf(team.bob, 'coelacanth')).toEqual([posted.id, secret.id]);
  });

  test('treats a Hub that the caller does not belong to like an unknown one, and tells an admin how to get access', async () => {
    const path = (hubId: string) => `/search?q=x&hubId=${hubId}`;
    const foreign = await other.ada.json('GET', path(team.hubId));
    const absent = await other.ada.json('GET', path('hub_absent'));
    expect([foreign.status, foreign.body.message]).toEqual([404, `There is no Hub ${team.hubId}.`]);
    expect([absent.status, absent.body.message]).toEqual([404, 'There is no Hub hub_absent.']);
    const admin = await signedIn(hub, { role: 'admin' });
    expect((await admin.json('GET', path(team.hubId))).status).toBe(403);
  });

  test('reveals nothing through a cursor except the time contained in its id', async () => {
    const foreign = await team.message(team.ada, 'hoatzin');
    const own = await other.message(other.ada, 'hoatzin');
    expect(await idsOf(other.ada, 'hoatzin', `&before=${own.id}`)).toEqual([]);
    const before = await other.ada.json<Found>('GET', `/search?q=hoatzin&before=${foreign.id}`);
    const absent = `${foreign.id.slice(0, -4)}0000`;
    const beforeAbsent = await other.ada.json<Found>('GET', `/search?q=hoatzin&before=${absent}`);
    expect(before).toMatchObject({ status: 200, body: beforeAbsent.body });
  });

  test('returns nothing to a removed member', async () => {
    const formerMember = await memberOf(hub, team.hubId);
    const { id } = await team.message(team.ada, 'a passing bittern');
    expect(await idsOf(formerMember, 'bittern')).toEqual([id]);
    await hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${formerMember.user.id}`);
    expect(await idsOf(formerMember, 'bittern')).toEqual([]);
  });
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

test('search goes on, without gap or repetition, after results to which the caller lost access meanwhile', async () => {
  const member = await memberOf(hub, team.hubId);
  await addMember(hub, other.hubId, member.user);
  const kept = [];
  for (const n of [1, 2, 3]) kept.unshift(await other.message(other.ada, `ibis ${n}`));
  await team.message(team.ada, 'the newest ibis');
  const { search: working } = hub.deps;
  hub.deps.search = {
    find: async (query, caller) => {
      const found = await working.find(query, caller);
      await hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${member.user.id}`);
      return found;
    },
  };
  const first = await search(member, 'ibis', '&limit=2').finally(() => {
    hub.deps.search = working;
  });
  const second = await search(member, 'ibis', `&limit=2&before=${first.next}`);
  expect(ids([...first.items, ...second.items])).toEqual(ids(kept));
});

describe('simultaneous searches', () => {
  let finish: Map<string, () => void>;
  let running: string[];
  let working: typeof hub.deps.search;

  /** Holds each query until the test finishes it. */
  beforeEach(() => {
    finish = new Map();
    running = [];
    working = hub.deps.search;
    const find = (query: SearchQuery) => {
      const [{ text } = { text: '' }] = query.terms;
      running.push(text);
      return new Promise<number[]>((resolve) => finish.set(text, () => resolve([])));
    };
    hub.deps.search = { find };
  });
  afterEach(() => {
    hub.deps.search = working;
  });

  const ask = (caller: UserCaller, word: string, signal?: AbortSignal) =>
    caller.fetch(`/api/v1/search?q=${word}`, signal && { signal });
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise(setImmediate);
  };

  test('run one at a time for each user and in turns, and those of disconnected clients are dropped', async () => {
    const client = new AbortController();
    const asked = [ask(team.ada, 'a1')];
    await until(() => running.length === 1);
    const abandoned = ask(team.ada, 'a2', client.signal).catch(() => 'gone');
    await until(() => hub.deps.searchTurns.waiting === 1);
    asked.push(ask(team.ada, 'a3'));
    await until(() => hub.deps.searchTurns.waiting === 2);
    asked.push(ask(team.bob, 'b1'));
    await until(() => running.length === 2);
    asked.push(ask(other.ada, 'c1'));
    await until(() => hub.deps.searchTurns.waiting === 3);
    client.abort();
    expect(await abandoned).toBe('gone');
    await until(() => hub.deps.searchTurns.waiting === 2);
    finish.get('b1')?.();
    await until(() => running.length === 3);
    finish.get('a1')?.();
    await until(() => running.length === 4);
    expect(running).toEqual(['a1', 'b1', 'c1', 'a3']);
    for (const word of ['a3', 'c1']) finish.get(word)?.();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('get 401 if the session has ended while they waited', async () => {
    const leaving = await memberOf(hub, team.hubId);
    const first = ask(leaving, 'a1');
    await until(() => running.length === 1);
    const second = ask(leaving, 'a2');
    await until(() => hub.deps.searchTurns.waiting === 1);
    expect((await leaving.fetch('/api/v1/session', { method: 'DELETE' })).ok).toBe(true);
    finish.get('a1')?.();
    expect((await second).status).toBe(401);
    await first;
  });

  test('get 503 with Retry-After after four seconds in the queue', async () => {
    const first = ask(team.ada, 'a1');
    await until(() => running.length === 1);
    const second = ask(team.ada, 'a2');
    await until(() => hub.deps.searchTurns.waiting === 1);
    hub.clock.advance(4_000);
    const rejected = await second;
    expect([rejected.status, rejected.headers.get('retry-after'), running]).toEqual([503, '3', ['a1']]);
    finish.get('a1')?.();
    expect((await first).status).toBe(200);
  });
});

describe('a rejected search', () => {
  test("returns 401 without a user's credentials", async () => {
    expect((await hub.fetch('/api/v1/search?q=x')).status).toBe(401);
    const keyed = await hub.fetch('/api/v1/search?q=x', { headers: { authorization: `Bearer ${team.key}` } });
    expect(keyed.status).toBe(401);
  });

  test.each([
    ['', 'q is required: enter the words to search for'],
    ['?q=%20', 'q is required: enter the words to search for'],
    ['?q=!!', 'q contains no word: punctuation and emoji are not searchable'],
    [`?q=${'x'.repeat(201)}`, 'q has 201 characters; at most 200 are accepted'],
    [`?q=${'x%20'.repeat(33)}`, 'The search has 33 words; at most 32 are accepted'],
    [`?q="${'x%20'.repeat(16)}x"`, 'A phrase in the search has 17 words; at most 16 are accepted'],
    [`?q=${'x.'.repeat(17)}`, 'A phrase in the search has 17 words; at most 16 are accepted'],
    [`?q=${encodeURIComponent('環'.repeat(33))}`, 'A phrase in the search has 17 words; at most 16 are accepted'],
    ['?q=x&kind=reply', 'kind must be one of message, note, todo'],
    ['?q=x&limit=0', 'limit must be a whole number from 1 to 100'],
    ['?q=x&before=7', 'before must be the value of next from the previous page, unchanged'],
    ['?q=x&hubid=7', 'hubid is not a known parameter of this list; did you mean hubId?'],
  ])('returns 400 for %p', async (query, message) => {
    const response = await team.ada.json('GET', `/search${query}`);
    expect([response.status, response.body.message]).toEqual([400, message]);
  });

  test('returns 503 while the index does not respond', async () => {
    const { search: working } = hub.deps;
    hub.deps.search = { find: () => Promise.reject(new AppError('unavailable', 'Search is temporarily unavailable')) };
    const response = await team.ada.json('GET', '/search?q=x');
    hub.deps.search = working;
    expect(response.status).toBe(503);
  });
});
