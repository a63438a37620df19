import { expect, test } from 'bun:test';
import type { EventFrame, Hub, Note } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, type Team, teamIn } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';

const base = shared(startTeam);
/** Returns a Hub of its own, with the same users. */
const newTeam = () => teamIn(base.hub, base);

const hubOf = ({ hubId, ada }: Team, caller = ada) => caller.request('GET /hubs/{hubId}', { hubId });
const pinsOf = async ({ hubId, ada }: Team) => (await ada.request('GET /hubs/{hubId}/pins', { hubId })).items;
const pin = (caller: UserCaller, { id }: { id: string }) => caller.json<Note>('PUT', `/items/${id}/pin`);

test('a pinned item is shown to all members of its Hub with the member who pinned it, latest pin first, and live', async () => {
  const team = await newTeam();
  const note = await team.note(team.ada, { content: 'runbook' });
  const post = await team.post('messages', { text: 'deployed' });
  using bobs = await liveClient(base.hub, team.bob.headers);
  await bobs.subscribe(team.hubId);
  expect((await pin(team.ada, note)).body).toEqual(note);
  base.hub.clock.advance(1_000);
  await pin(team.bob, post);
  const seq = await team.seq();
  expect((await pin(team.bob, post)).status).toBe(200);
  expect(await team.seq()).toBe(seq);
  expect(await pinsOf(team)).toMatchObject([
    { item: post, pinnedBy: { name: 'Bob Kahn' } },
    { item: note, pinnedBy: { name: 'Ada Lovelace' } },
  ]);
  expect((await hubOf(team)).pinnedIds).toEqual([post.id, note.id]);
  const isSecond = (frame: EventFrame) => frame.event === 'hub.changed' && frame.data.pinnedIds?.length === 2;
  expect((await bobs.until('event', isSecond)).data).toMatchObject({ pinnedIds: [post.id, note.id] });
  await team.ada.json('DELETE', `/items/${post.id}/pin`);
  expect((await hubOf(team, team.bob)).pinnedIds).toEqual([note.id]);
  const after = await team.seq();
  expect((await team.ada.json('DELETE', `/items/${post.id}/pin`)).status).toBe(200);
  expect(await team.seq()).toBe(after);
});

test('a pinned item is the fifth at most: the next one is a 409, until another is unpinned or deleted', async () => {
  const team = await newTeam();
  const notes = await Promise.all(Array.from({ length: 7 }, (_, n) => team.note(team.ada, { content: `${n}` })));
  for (const note of notes.slice(0, 5)) expect((await pin(team.ada, note)).status).toBe(200);
  const [first, second, , , , sixth, seventh] = notes as [Note, Note, Note, Note, Note, Note, Note];
  expect(await team.bob.outcome('PUT', `/items/${sixth.id}/pin`)).toBe(
    '409 This Hub has 5 pinned items, the maximum. Unpin one of them first.',
  );
  await team.ada.json('DELETE', `/notes/${first.id}`);
  expect(await pinsOf(team)).toHaveLength(4);
  expect(await team.bob.outcome('PUT', `/items/${first.id}/pin`)).toStartWith('404 ');
  // It is pinned again when it is restored.
  await team.ada.json('POST', `/items/${first.id}/restoration`);
  expect((await hubOf(team)).pinnedIds).toContain(first.id);
  await team.ada.json('DELETE', `/notes/${first.id}`);
  expect((await pin(team.bob, sixth)).status).toBe(200);
  await team.ada.json('POST', `/items/${first.id}/restoration`);
  const { pinnedIds } = await hubOf(team);
  expect(pinnedIds).toHaveLength(5);
  expect(pinnedIds).not.toContain(first.id);
  await team.ada.json('DELETE', `/items/${second.id}/pin`);
  expect((await pin(team.bob, seventh)).status).toBe(200);
});

test('a favorite is of one user, on all of their pages', async () => {
  const team = await newTeam();
  const path = `/hubs/${team.hubId}/favorite`;
  using adas = await liveClient(base.hub, team.ada.headers);
  expect((await team.ada.json<Hub>('PUT', path)).body).toMatchObject({ id: team.hubId, isFavorite: true });
  expect(await adas.until('unread', ({ hubId }) => hubId === team.hubId)).toMatchObject({ isFavorite: true });
  expect((await team.ada.json('PUT', path)).status).toBe(200);
  // Reading leaves it as it is.
  await team.post('messages', { text: 'x' });
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  const [adasHub, bobsHub] = [await hubOf(team), await hubOf(team, team.bob)];
  expect([adasHub.isFavorite, bobsHub.isFavorite]).toEqual([true, false]);
  expect((await team.ada.json<Hub>('DELETE', path)).body.isFavorite).toBe(false);
});
