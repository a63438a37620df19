import type { Item, Message } from '@hub/contract';
import { pngOf } from './images.ts';
import { startTeam, teamOn } from './team.ts';

export type ForeignRoute = [method: string, path: string, id: string, body: object | undefined];

/** Starts a server with two Hubs; the second has one of everything that members of the first must never see. */
export async function startWithForeignHub() {
  const mine = await startTeam();
  const theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
  const { ada, bob, hubId, keyId } = theirs;
  const message = await theirs.message(bob, 'their secret @Ada');
  const reply = await theirs.reply(bob, message, 'their secret reply');
  const note = await theirs.note(bob, { title: 'their secret', content: 'their secret' });
  const todo = await theirs.todo(bob, { title: 'their secret', assigneeId: ada.user.id });
  const post = await theirs.post<Message>('messages', { text: 'their secret post' });
  const source = await theirs.message(bob, 'their secret source');
  const { body: product } = await bob.json<Item>('POST', `/messages/${source.id}/conversion`, { to: 'note' });
  await bob.fetch('/api/v1/me/picture', {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: pngOf({ width: 8, height: 8 }),
  });
  await mine.message(mine.ada, 'ours');
  const foreign = { hubId, keyId, message, reply, note, todo, post, source, product };
  return { mine, theirs, foreign, contents: contents(foreign), managed: managed(foreign, bob.user.id) };
}

type ForeignContent = Record<'hubId' | 'keyId', string> & Record<string, { id: string } | string>;

/** Returns each route to the items of a Hub, with a body that is valid for members. */
function contents({ hubId, ...foreign }: ForeignContent): ForeignRoute[] {
  const id = (name: string): string => {
    const item = foreign[name];
    if (typeof item !== 'object') throw new Error(`There is no ${name} in the foreign Hub`);
    return item.id;
  };
  return [
    ['GET', '/items/:id', id('message'), undefined],
    ['GET', '/items/:id', id('reply'), undefined],
    ['GET', '/items/:id', id('note'), undefined],
    ['GET', '/items/:id', id('todo'), undefined],
    ['GET', '/items/:id', id('product'), undefined],
    ['GET', '/items/:id/origin', id('post'), undefined],
    ['PATCH', '/messages/:id', id('message'), { text: 'x' }],
    ['PATCH', '/messages/:id', id('reply'), { text: 'x' }],
    ['DELETE', '/messages/:id', id('message'), undefined],
    ['GET', '/messages/:id/replies', id('message'), undefined],
    ['POST', '/messages/:id/replies', id('message'), { text: 'x' }],
    ['POST', '/messages/:id/replies', id('reply'), { text: 'x' }],
    ['PUT', '/messages/:id/replies/read', id('message'), { seq: 1 }],
    ['PUT', '/messages/:id/reactions/👍', id('message'), undefined],
    ['DELETE', '/messages/:id/reactions/👍', id('message'), undefined],
    ['POST', '/messages/:id/conversion', id('message'), { to: 'todo' }],
    ['POST', '/messages/:id/conversion', id('reply'), { to: 'note' }],
    ['POST', '/messages/:id/conversion', id('source'), { to: 'note' }],
    ['PATCH', '/notes/:id', id('note'), { content: 'x' }],
    ['DELETE', '/notes/:id', id('note'), undefined],
    ['PATCH', '/todos/:id', id('todo'), { status: 'done' }],
    ['PATCH', '/todos/:id', id('todo'), { title: 'x', baseVersion: 9 }],
    ['DELETE', '/todos/:id', id('todo'), undefined],
    ['GET', '/hubs/:id/messages', hubId, undefined],
    ['GET', '/hubs/:id/notes', hubId, undefined],
    ['GET', '/hubs/:id/todos', hubId, undefined],
    ['POST', '/hubs/:id/messages', hubId, { text: 'x' }],
    ['POST', '/hubs/:id/notes', hubId, { content: 'x' }],
    ['POST', '/hubs/:id/todos', hubId, { title: 'x' }],
    ['PUT', '/hubs/:id/read', hubId, { seq: 1 }],
    ['GET', '/hubs/:id/counts', hubId, undefined],
    ['GET', '/hubs/:id/export', hubId, undefined],
    ['GET', '/stream?hubId=:id', hubId, undefined],
    ['GET', '/todos?hubId=:id', hubId, undefined],
    ['GET', '/search?q=secret&hubId=:id', hubId, undefined],
  ];
}

/** Returns each route to the Hub itself, its members, their avatars and its keys, which admins manage too. */
function managed({ hubId, keyId }: ForeignContent, memberId: string): ForeignRoute[] {
  return [
    ['GET', '/hubs/:id', hubId, undefined],
    ['GET', '/hubs/:id/members', hubId, undefined],
    ['DELETE', `/hubs/:id/members/${memberId}`, hubId, undefined],
    ['GET', '/people/:id/picture', memberId, undefined],
    ['GET', '/keys/:id', keyId, undefined],
    ['GET', '/keys/:id/usage', keyId, undefined],
    ['GET', '/keys/:id/addresses', keyId, undefined],
    ['POST', '/keys/:id/rotation', keyId, undefined],
    ['POST', '/keys/:id/replacement', keyId, undefined],
    ['POST', '/keys/:id/revocation', keyId, undefined],
  ];
}
