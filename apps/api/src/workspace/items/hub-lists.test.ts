import { describe, expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { type MessagePage, type NotePage, startTeam, statusAndMessageOf } from '@hub/testkit/in-process/team';
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

  test('carry the event number that they reflect, and the epoch', async () => {
    await using team = await startTeam();
    const before = (await team.messages()).seq;
    await team.message(team.ada, 'one');
    const page = await team.messages();
    expect(page.seq).toBe(before + 1);
    expect(page.epoch).toBe((await team.hub.store.workspace.find()).epoch);
    expect((await team.notes()).seq).toBe(page.seq);
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

  test('have pages of bounded size, however long the items are, without gaps', async () => {
    await using team = await startTeam();
    const { ada } = team;
    const written: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const content = `plenty ${'é'.repeat(n % 4 === 0 ? 199_000 : 50_000)}`;
      written.unshift((await team.note(ada, { content })).id);
    }
    for (const path of [`/hubs/${team.hubId}/notes`, '/stream', '/search?q=plenty']) {
      const sign = path.includes('?') ? '&' : '?';
      const read: string[] = [];
      for (let before = ''; read.length < written.length; ) {
        const { body } = await ada.json<NotePage>('GET', `${path}${sign}limit=100${before}`);
        const bytes = Buffer.byteLength(JSON.stringify(body));
        if (body.items.length > 1) expect(bytes).toBeLessThan(260 * 1024);
        expect(bytes).toBeLessThan(3 * 1024 * 1024);
        read.push(...body.items.map(({ id }) => id));
        before = `&before=${body.next}`;
      }
      expect(read).toEqual(written);
    }
  });

  test('continue by time if the item of the cursor was erased or is in another Hub', async () => {
    await using team = await startTeam();
    await team.message(team.ada, 'old');
    team.hub.clock.advance(1_000);
    const gone = team.hub.deps.newId('msg');
    team.hub.clock.advance(1_000);
    await team.message(team.ada, 'new');
    expect(texts(await team.messages(`?before=${gone}`))).toEqual(['old']);
    expect(texts(await team.messages(`?after=${gone}`))).toEqual(['new']);
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

  test('are for members: other users get 404, admins 403', async () => {
    await using team = await startTeam();
    const stranger = await signedIn(team.hub);
    const admin = await signedIn(team.hub, { role: 'admin' });
    for (const list of ['messages', 'notes', 'todos']) {
      const path = `/hubs/${team.hubId}/${list}`;
      expect(await statusAndMessageOf(stranger, 'GET', path)).toBe(`404 There is no Hub ${team.hubId}.`);
      expect(await statusAndMessageOf(admin, 'GET', path)).toStartWith('403 You are not a member of the Hub');
      expect((await team.hub.admin.raw('GET', path)).status).toBe(200);
    }
    await addMember(team.hub, team.hubId, admin.user);
    expect((await admin.json<MessagePage>('GET', `/hubs/${team.hubId}/messages`)).status).toBe(200);
    await team.hub.admin.deleteHub(team.hubId);
    expect(await statusAndMessageOf(team.ada, 'GET', `/hubs/${team.hubId}/messages`)).toStartWith('404');
  });

  test('return 400 for an unknown query', async () => {
    await using team = await startTeam();
    const { id } = await team.message(team.ada, 'x');
    const rejected = (list: string, query: string) =>
      statusAndMessageOf(team.ada, 'GET', `/hubs/${team.hubId}/${list}?${query}`);
    expect(await rejected('messages', 'after=zzz')).toStartWith(
      '400 after must be the value of next from the previous page',
    );
    expect(await rejected('messages', `after=${id}&before=${id}`)).toStartWith('400 before and after');
    expect(await rejected('messages', 'status=open')).toStartWith('400 status is not a known parameter of this list');
    expect(await rejected('todos', 'status=finished')).toBe('400 status must be one of open, done');
    expect(await rejected('notes', 'limit=101')).toStartWith('400 limit must be');
    const local = await team.hub.admin.raw('GET', `/hubs/${team.hubId}/todos?assigneeId=me`);
    expect(local.status).toBe(400);
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

  test('is listed in order of event numbers together with concurrent posts from a key', async () => {
    await using team = await startTeam();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? team.message(team.ada, String(index)) : team.post('messages', { text: String(index) }),
      ),
    );
    const page = await team.messages();
    expect(new Set(page.items.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
    expect(page.items.map(({ id }) => id)).toEqual(
      (await team.hub.store.events.read(team.hubId, 0, 100))
        .flatMap(({ event, itemId }) => (event === 'message.created' && itemId !== null ? [itemId] : []))
        .reverse(),
    );
  });
});
