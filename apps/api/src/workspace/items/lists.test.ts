import { describe, expect, test } from 'bun:test';
import type { Item, Message, StreamPage } from '@hub/contract';
import { startTeam, statusAndMessageOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import { addMember, signedIn } from '@hub/testkit/in-process/users';

const texts = ({ items }: { items: readonly Message[] }) => items.map(({ text }) => text);

describe('the lists of a Hub', () => {
  test('contain messages, notes and to-dos separately, from the bot and from users, newest first', async () => {
    await using team = await startTeam();
    const bot = await team.post('messages', { text: 'from a key' });
    const own = await team.message(team.bob, 'from Bob');
    const note = await team.note(team.bob, { title: 'Plan', content: '# Plan' });
    const todo = await team.todo(team.bob, { title: 'Do it' });
    expect((await team.messages()).items).toEqual([own, bot]);
    expect((await team.notes()).items).toEqual([note]);
    expect((await team.todos()).items).toEqual([todo]);
    expect(bot).toMatchObject({
      kind: 'message',
      hubId: team.hubId,
      author: { kind: 'bot', name: 'Bot' },
      key: { id: team.keyId, name: 'ci' },
      createdAt: '2026-03-01T09:30:00.000Z',
    });
    expect(own).toMatchObject({ author: { id: team.bob.user.id, kind: 'user', name: 'Bob Kahn' }, key: null });
  });

  test('are paged back with before and forward with after, newest first, without gaps or duplicates', async () => {
    await using team = await startTeam();
    for (const text of ['1', '2', '3', '4', '5']) await team.message(team.ada, text);
    const first = await team.messages('?limit=2');
    expect([texts(first), first.next]).toEqual([['5', '4'], first.items[1]?.id ?? '']);
    const second = await team.messages(`?limit=2&before=${first.next}`);
    expect(texts(second)).toEqual(['3', '2']);
    const last = await team.messages(`?limit=2&before=${second.next}`);
    expect([texts(last), last.next]).toEqual([['1'], null]);

    const oldest = last.items[0]?.id;
    const up = await team.messages(`?limit=2&after=${oldest}`);
    expect([texts(up), up.next]).toEqual([['3', '2'], up.items[0]?.id ?? '']);
    const top = await team.messages(`?limit=2&after=${up.next}`);
    expect([texts(top), top.next]).toEqual([['5', '4'], null]);
    expect(texts(await team.messages(`?after=${top.items[0]?.id}`))).toEqual([]);
  });

  test('filter by key, author, status and assignee', async () => {
    await using team = await startTeam();
    const { ada, bob } = team;
    await team.post('messages', { text: 'bot' });
    await team.message(ada, 'Ada');
    const otherKey = await team.hub.admin.issueKey({ hubId: team.hubId });
    expect(texts(await team.messages(`?keyId=${team.keyId}`))).toEqual(['bot']);
    expect(texts(await team.messages(`?keyId=${otherKey.id}`))).toEqual([]);
    expect(texts(await team.messages('?authorId=me'))).toEqual(['Ada']);
    expect(texts(await team.messages(`?authorId=${bob.user.id}`))).toEqual([]);

    const mine = await team.todo(bob, { title: 'mine', assigneeId: ada.user.id });
    const unassigned = await team.todo(bob, { title: 'free' });
    await ada.json('PATCH', `/todos/${unassigned.id}`, { status: 'done' });
    const titles = async (query: string) => (await team.todos(query)).items.map(({ title }) => title);
    expect(await titles('?assigneeId=me')).toEqual(['mine']);
    expect(await titles(`?assigneeId=${ada.user.id}&status=done`)).toEqual([]);
    expect(await titles('?assigneeId=none')).toEqual(['free']);
    expect(await titles('?status=open')).toEqual([mine.title]);
    expect(await titles('?status=done')).toEqual(['free']);
    expect(await titles(`?assigneeId=${bob.user.id}`)).toEqual([]);
  });
});

describe('an item by a user', () => {
  test('is stored as sent, within its limits', async () => {
    await using team = await startTeam();
    const due = { title: 'T', content: 'C', dueDate: '2026-05-01T10:00+02:00', priority: 'HIGH' };
    expect(await team.todo(team.ada, { ...due, assigneeId: team.bob.user.id })).toMatchObject({
      title: 'T',
      content: 'C',
      dueDate: '2026-05-01T08:00:00.000Z',
      priority: 'HIGH',
      status: 'open',
      assignee: { id: team.bob.user.id, name: 'Bob Kahn' },
    });
    expect((await team.message(team.ada, ' **x** \n')).text).toBe(' **x** \n');
    expect(await team.note(team.ada, { content: 'C', title: null })).toMatchObject({ title: null, content: 'C' });
    const path = (list: string) => `/hubs/${team.hubId}/${list}`;
    expect(await statusAndMessageOf(team.ada, 'POST', path('messages'), { text: ' ' })).toStartWith(
      '400 text is required',
    );
    expect(await statusAndMessageOf(team.ada, 'POST', path('messages'), { text: 'x'.repeat(40_001) })).toStartWith(
      '400 text has',
    );
    expect(await statusAndMessageOf(team.ada, 'POST', path('messages'), { text: 'x', blocks: [] })).toStartWith(
      '400 blocks is not',
    );
    expect(await statusAndMessageOf(team.ada, 'POST', path('notes'), { title: 'x' })).toStartWith(
      '400 content is required',
    );
    expect(await statusAndMessageOf(team.ada, 'POST', path('todos'), { title: 'x', dueDate: 'soon' })).toStartWith(
      '400 dueDate',
    );
    const stranger = { title: 'x', assigneeId: 'usr_00000000000000000000000000' };
    expect(await statusAndMessageOf(team.ada, 'POST', path('todos'), stranger)).toStartWith('400 assigneeId must be');
    expect((await team.todos()).items).toHaveLength(1);
  });

  test('requires a user account: the local admin gets 403', async () => {
    await using team = await startTeam();
    const { id } = await team.message(team.ada, 'x');
    for (const path of [`/hubs/${team.hubId}/messages`, `/messages/${id}/replies`]) {
      const response = await team.hub.admin.raw('POST', path, { text: 'x' });
      expect(response.status).toBe(403);
      expect(((await response.json()) as { message: string }).message).toContain(
        'requires a user account; the local admin has none',
      );
    }
  });
});

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
});
