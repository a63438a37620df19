import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Item, Message, Note, StreamPage, Todo } from '@hub/contract';
import { type PersonCaller, signedIn, tokenOf } from '../testing/people.ts';
import { startTeam, type Team, teamOn } from '../testing/team.ts';

/** No route gives a member of one Hub anything of another: foreign things answer as if they did not exist. */
type Started = Awaited<ReturnType<typeof startTeam>>;
let mine: Started;
let theirs: Team;
let message: Message;
let reply: Message;
let note: Note;
let todo: Todo;
let outsiders: [string, PersonCaller][];

beforeAll(async () => {
  mine = await startTeam();
  theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
  const { bob } = theirs;
  message = await theirs.message(bob, 'their secret @Ada');
  reply = await theirs.reply(bob, message, 'their secret reply');
  note = await theirs.note(bob, { title: 'their secret', content: 'their secret' });
  todo = await theirs.todo(bob, { title: 'their secret', assigneeId: theirs.ada.person.id });
  await theirs.post('messages', { text: 'their secret post' });
  await mine.message(mine.ada, 'ours');
  outsiders = [
    ['a member of another Hub', mine.ada],
    ['the same with a personal token', await tokenOf(mine.hub, mine.ada.person)],
    ['somebody without a Hub', await signedIn(mine.hub)],
  ];
});
afterAll(() => mine.hub[Symbol.asyncDispose]());

const NOBODYS = '00000000000000000000000000';

/** Each route of an item, with what makes it do something for those who may. */
const routes: [string, string, () => { id: string }, object | undefined][] = [
  ['GET', '/items/:id', () => message, undefined],
  ['GET', '/items/:id', () => reply, undefined],
  ['GET', '/items/:id', () => note, undefined],
  ['GET', '/items/:id', () => todo, undefined],
  ['GET', '/items/:id/origin', () => message, undefined],
  ['PATCH', '/messages/:id', () => message, { text: 'x' }],
  ['PATCH', '/messages/:id', () => reply, { text: 'x' }],
  ['DELETE', '/messages/:id', () => message, undefined],
  ['GET', '/messages/:id/replies', () => message, undefined],
  ['POST', '/messages/:id/replies', () => message, { text: 'x' }],
  ['POST', '/messages/:id/replies', () => reply, { text: 'x' }],
  ['PUT', '/messages/:id/reactions/👍', () => message, undefined],
  ['DELETE', '/messages/:id/reactions/👍', () => message, undefined],
  ['POST', '/messages/:id/conversion', () => message, { to: 'todo' }],
  ['POST', '/messages/:id/conversion', () => reply, { to: 'note' }],
  ['PATCH', '/notes/:id', () => note, { content: 'x' }],
  ['DELETE', '/notes/:id', () => note, undefined],
  ['PATCH', '/todos/:id', () => todo, { status: 'done' }],
  ['PATCH', '/todos/:id', () => todo, { title: 'x', baseVersion: 9 }],
  ['DELETE', '/todos/:id', () => todo, undefined],
  ['GET', '/hubs/:id/messages', () => ({ id: theirs.hubId }), undefined],
  ['GET', '/hubs/:id/notes', () => ({ id: theirs.hubId }), undefined],
  ['GET', '/hubs/:id/todos', () => ({ id: theirs.hubId }), undefined],
  ['POST', '/hubs/:id/messages', () => ({ id: theirs.hubId }), { text: 'x' }],
  ['POST', '/hubs/:id/notes', () => ({ id: theirs.hubId }), { content: 'x' }],
  ['POST', '/hubs/:id/todos', () => ({ id: theirs.hubId }), { title: 'x' }],
  ['GET', '/stream?hubId=:id', () => ({ id: theirs.hubId }), undefined],
  ['GET', '/todos?hubId=:id', () => ({ id: theirs.hubId }), undefined],
];

describe('whoever does not belong to a Hub', () => {
  test.each(routes)('gets from %s %s what an unknown id gets', async (method, path, target, body) => {
    const seq = theirs.seq();
    const { id } = target();
    const unknown = `${id.split('_')[0]}_${NOBODYS}`;
    for (const [who, caller] of outsiders) {
      const foreign = await caller.json<{ message: string }>(method, path.replace(':id', id), body);
      const nothing = await caller.json<{ message: string }>(method, path.replace(':id', unknown), body);
      expect([who, foreign.status]).toEqual([who, 404]);
      expect(foreign.body.message).toBe(nothing.body.message.replaceAll(unknown, id));
      expect(JSON.stringify(foreign.body)).not.toContain('secret');
    }
    expect(theirs.seq()).toBe(seq);
  });

  test('finds nothing of it in any list of his own', async () => {
    const lists = [
      '/stream',
      '/stream?limit=1',
      '/stream?unread=true',
      `/stream?keyId=${theirs.keyId}`,
      `/stream?before=${todo.id}`,
      `/stream?after=${message.id}`,
      '/mentions',
      '/todos',
      '/todos?assigneeId=me',
      '/todos?assigneeId=none',
      `/todos?assigneeId=${theirs.ada.person.id}`,
      `/hubs/${mine.hubId}/messages?authorId=${theirs.bob.person.id}`,
      `/hubs/${mine.hubId}/messages?keyId=${theirs.keyId}`,
      `/hubs/${mine.hubId}/messages?before=${reply.id}`,
      `/hubs/${mine.hubId}/todos?assigneeId=${theirs.ada.person.id}`,
    ];
    for (const list of lists) {
      const { status, body } = await mine.ada.json<StreamPage>('GET', list);
      expect([list, status]).toEqual([list, 200]);
      expect(body.items.filter(({ hubId }: Item) => hubId !== mine.hubId)).toEqual([]);
      expect(JSON.stringify(body)).not.toContain(theirs.hubId);
    }
  });

  test('cannot bring its members into a Hub of his own, nor himself into theirs', async () => {
    const assigneeId = theirs.ada.person.id;
    const own = await mine.todo(mine.ada, { title: 'x' });
    expect((await mine.ada.json('PATCH', `/todos/${own.id}`, { assigneeId })).status).toBe(400);
    expect((await mine.ada.json('POST', `/hubs/${mine.hubId}/todos`, { title: 'x', assigneeId })).status).toBe(400);
    const source = await mine.message(mine.ada, '@Ada Foreign');
    expect(source.mentions).not.toContain(assigneeId);
    const body = { to: 'todo', assigneeId };
    expect((await mine.ada.json('POST', `/messages/${source.id}/conversion`, body)).status).toBe(400);
  });
});

test('a member gets all of it, so that the refusals above mean something', async () => {
  for (const [method, path, target] of routes.filter(([method]) => method === 'GET')) {
    const place = path.replace(
      ':id',
      path.endsWith('/origin') ? (await theirs.post('messages', { text: 'p' })).id : target().id,
    );
    const { status, body } = await theirs.bob.json(method, place);
    expect([place, status]).toEqual([place, 200]);
    expect(JSON.stringify(body)).toContain(path.endsWith('/origin') ? theirs.keyId : theirs.hubId);
  }
});

test('an admin who does not belong to the Hub is told how to get in, and nothing else', async () => {
  const admin = await signedIn(mine.hub, { role: 'admin' });
  for (const [method, path, target, body] of routes) {
    const answer = await admin.json<{ message: string }>(method, path.replace(':id', target().id), body);
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.body.message).toContain('Add yourself to its members first');
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  }
});
