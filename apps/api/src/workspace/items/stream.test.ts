import { describe, expect, test } from 'bun:test';
import type { Item, StreamPage } from '@hub/contract';
import { allOf, startTeam, statusAndMessageOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn } from '@hub/testkit/in-process/users';
import { newItem } from '@hub/testkit/storage/store-records';
import { insertItem } from '@hub/testkit/storage/store-writes';

const text = (items: readonly Item[]) =>
  items.map((item) => (item.kind === 'message' ? item.text : item.kind === 'note' ? item.content : item.title));

/** Sets up two Hubs. Ada is a member of both, and every other user is a member of one. */
async function twoTeams() {
  const team = await startTeam();
  const other = await teamOn(team.hub, ['Cy', 'Di']);
  await addMember(team.hub, other.hubId, team.ada.user);
  return { team, other, hub: team.hub, ada: team.ada, [Symbol.asyncDispose]: () => team.hub[Symbol.asyncDispose]() };
}

async function stream(caller: Team['ada'], query = ''): Promise<StreamPage> {
  const { status, body } = await caller.json<StreamPage>('GET', `/stream${query}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

describe('the stream', () => {
  test("contains all items from the caller's Hubs, including replies, in order of arrival", async () => {
    await using both = await twoTeams();
    const { team, other, ada } = both;
    const message = await team.message(team.bob, '1 message');
    await other.note(other.bob, { content: '2 note' });
    await team.post('todos', { title: '3 to-do' });
    await other.post('messages', { text: '4 message of a key' });
    await team.reply(team.bob, message, '5 reply');
    const page = await stream(ada);
    expect(text(page.items)).toEqual(['5 reply', '4 message of a key', '3 to-do', '2 note', '1 message']);
    expect(page.items[0]).toMatchObject({ kind: 'message', parentId: message.id });
    expect(page.next).toBeNull();
    expect(text((await stream(team.bob)).items)).toEqual(['5 reply', '3 to-do', '1 message']);
  });

  test('carries the event number of each of its Hubs, and the epoch', async () => {
    await using both = await twoTeams();
    const { team, other, ada } = both;
    await team.message(ada, 'x');
    const page = await stream(ada);
    expect(page.seqs).toEqual({ [team.hubId]: await team.seq(), [other.hubId]: await other.seq() });
    expect(page.epoch).toBe((await both.hub.store.workspace.find()).epoch);
    expect((await stream(ada, `?hubId=${team.hubId}`)).seqs).toEqual({ [team.hubId]: await team.seq() });
  });

  test('is paginated in both directions without gaps or duplicates', async () => {
    await using both = await twoTeams();
    const { team, other, ada } = both;
    const written: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const each = n % 3 === 0 ? other : team;
      const item = n % 5 === 0 ? await each.note(ada, { content: `${n}` }) : await each.message(ada, `${n}`);
      written.unshift(item.id);
    }
    expect((await allOf(ada, '/stream?limit=7')).map(({ id }) => id)).toEqual(written);
    const up: string[] = [];
    for (let after = written.at(-1) ?? null; after !== null; ) {
      const page: StreamPage = await stream(ada, `?limit=4&after=${after}`);
      up.unshift(...page.items.map(({ id }) => id));
      after = page.next;
    }
    expect(up).toEqual(written.slice(0, -1));
  });

  test('filters by Hub, kind, key and author', async () => {
    await using both = await twoTeams();
    const { team, other, ada } = both;
    const message = await team.message(ada, 'message');
    await team.reply(ada, message, 'reply');
    await team.note(ada, { content: 'note' });
    await other.post('todos', { title: 'to-do' });
    const found = async (query: string) => text((await stream(ada, query)).items);
    expect(await found(`?hubId=${other.hubId}`)).toEqual(['to-do']);
    expect(await found('?kind=message')).toEqual(['reply', 'message']);
    expect(await found('?kind=note')).toEqual(['note']);
    expect(await found(`?keyId=${other.keyId}`)).toEqual(['to-do']);
    expect(await found(`?keyId=${team.keyId}`)).toEqual([]);
    expect(await found(`?kind=todo&hubId=${team.hubId}`)).toEqual([]);
    await team.message(team.bob, 'of another');
    expect(await found('?authorId=me')).toEqual(['note', 'reply', 'message']);
    expect(await found(`?authorId=${team.bob.user.id}`)).toEqual(['of another']);
    expect(await found(`?authorId=me&keyId=${other.keyId}`)).toEqual([]);
  });

  test('with unread=true, contains only unread items by others, and only replies that are addressed to the user', async () => {
    await using both = await twoTeams();
    const { team, other, ada } = both;
    await team.message(team.bob, 'read');
    await ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
    await team.message(team.bob, 'news');
    await team.message(ada, 'my own');
    const taken = await team.message(team.bob, 'taken back');
    await team.reply(team.bob, taken, 'and a reply to @Ada');
    await team.reply(team.bob, taken, 'and one to nobody');
    await team.bob.json('DELETE', `/messages/${taken.id}`);
    await other.message(other.bob, 'elsewhere');
    expect(text((await stream(ada, '?unread=true')).items)).toEqual(['elsewhere', 'and a reply to @Ada', 'news']);
    expect(text((await stream(ada, `?unread=true&hubId=${team.hubId}`)).items)).toEqual([
      'and a reply to @Ada',
      'news',
    ]);
    expect(text((await stream(ada, `?unread=true&limit=1&hubId=${team.hubId}`)).items)).toEqual([
      'and a reply to @Ada',
    ]);
    const [first] = (await stream(ada)).items.toReversed();
    const up = await stream(ada, `?unread=true&limit=1&after=${first?.id}`);
    expect([text(up.items), text((await stream(ada, `?unread=true&after=${up.next}`)).items)]).toEqual([
      ['news'],
      ['elsewhere', 'and a reply to @Ada'],
    ]);
    expect((await stream(ada, '?unread=false')).items).toHaveLength(7);
  });

  test('is empty for users without Hubs, and covers every Hub for the local admin', async () => {
    await using both = await twoTeams();
    const { team, other, hub } = both;
    await team.message(team.ada, 'one');
    await other.message(other.ada, 'two');
    const stranger = await signedIn(hub, { role: 'admin' });
    expect(await stream(stranger)).toMatchObject({ items: [], next: null, seqs: {} });
    const response = await hub.admin.raw('GET', '/stream');
    expect(text(((await response.json()) as StreamPage).items)).toEqual(['two', 'one']);
    expect((await hub.admin.raw('GET', '/stream?unread=true')).status).toBe(400);
  });

  test('leaves out deleted Hubs and Hubs that the user has left', async () => {
    await using both = await twoTeams();
    const { team, other, ada, hub } = both;
    await team.message(ada, 'one');
    await other.message(ada, 'two');
    await hub.admin.deleteHub(team.hubId);
    expect(text((await stream(ada)).items)).toEqual(['two']);
    expect(await statusAndMessageOf(ada, 'GET', `/stream?hubId=${team.hubId}`)).toBe(
      `404 There is no Hub ${team.hubId}.`,
    );
    await hub.admin.raw('DELETE', `/hubs/${other.hubId}/members/${ada.user.id}`);
    expect((await stream(ada)).items).toEqual([]);
  });

  test('returns 400 for unknown parameters', async () => {
    await using team = await startTeam();
    const rejected = (query: string) => statusAndMessageOf(team.ada, 'GET', `/stream?${query}`);
    expect(await rejected('kind=reply')).toBe('400 kind must be one of message, note, todo');
    expect(await rejected('unread=yes')).toBe('400 unread must be one of true, false');
    expect(await rejected('hubId=hub_0')).toBe('404 There is no Hub hub_0.');
    expect(await rejected('hub=x')).toStartWith('400 hub is not a known parameter of this list');
  });

  test('takes bounded time for a filter with few matches: a short page has a next cursor', async () => {
    await using team = await startTeam();
    const { hub, ada, hubId } = team;
    const rare = await team.post('messages', { text: 'rare' });
    const eve = await memberOf(hub, hubId, { name: 'Eve' });
    const writing = Array.from({ length: 600 }, (_, n) =>
      newItem(hubId, eve.user.id, { id: hub.deps.newId('msg'), body: `${n}` }),
    );
    await Promise.all(writing.map((item) => insertItem(hub.store, item)));
    const first = await stream(ada, `?keyId=${team.keyId}`);
    expect(first.items).toEqual([]);
    expect(first.next).not.toBeNull();
    const second = await stream(ada, `?keyId=${team.keyId}&before=${first.next}`);
    expect(second.items).toEqual([rare]);
    expect(second.next).toBeNull();
  });
});
