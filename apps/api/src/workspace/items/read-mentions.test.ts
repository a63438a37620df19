import { describe, expect, test } from 'bun:test';
import type { Hub, MentionPage, ServerFrame, UnreadMentions } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { startTeam, statusAndMessageOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import { memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { newItem } from '@hub/testkit/storage/store-records';
import { insertItem } from '@hub/testkit/storage/store-writes';

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

  test('are marked as read along with their kind in the Hub, but replies only along with their thread', async () => {
    await using t = await startAddressed();
    await t.bob.json('PUT', `/hubs/${t.hubId}/read`, { seq: await t.seq() });
    expect(await unreadIn(t.bob, t)).toEqual([t.response.id]);
    const thread = `/messages/${t.question.id}/replies/read`;
    const mark = (seq: number) => t.bob.json<UnreadMentions>('PUT', thread, { seq });
    expect((await mark(t.response.seq - 1)).body.unreadIds).toEqual({ [t.hubId]: [t.response.id] });
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await mark(t.response.seq);
      expect([status, body]).toEqual([200, { unreadIds: {} }]);
    }
  });

  test('are marked as read only for the caller, with a valid body, and in threads that the caller may read', async () => {
    await using t = await startAddressed();
    const theirs = await teamOn(t.hub, ['Cy', 'Di']);
    const foreign = await theirs.message(theirs.ada, '@Di');
    const rejected = (body: object) => statusAndMessageOf(t.bob, 'PUT', '/mentions/read', body);
    const one = '400 Send either itemIds, for single items, or upTo, for an item and all older ones';
    expect([await rejected({}), await rejected({ itemIds: ['x'], upTo: 'x' })]).toEqual([one, one]);
    expect(await rejected({ itemIds: [1] })).toStartWith('400 itemIds[0] must be a string');
    expect(await rejected({ itemIds: Array(101).fill('x') })).toBe(
      '400 itemIds has 101 elements; at most 100 are accepted',
    );
    for (const id of [foreign.id, t.question.id, 'msg_unknown']) {
      expect(await rejected({ upTo: id })).toBe(`404 There is no mention ${id}.`);
    }
    await read(t.bob, { itemIds: [foreign.id] });
    expect(await unreadIn(theirs.bob, theirs)).toEqual([foreign.id]);

    const thread = (id: string, body: object = { seq: 1 }) =>
      statusAndMessageOf(t.bob, 'PUT', `/messages/${id}/replies/read`, body);
    expect(await thread(foreign.id)).toStartWith('404 There is no message');
    expect(await thread(t.response.id)).toStartWith(`400 ${t.response.id} is a reply and has no replies of its own`);
    expect(await thread(t.question.id, {})).toStartWith('400 seq is required');
    expect(await thread(t.question.id, { seq: -1 })).toStartWith('400 seq must');
    const local = (path: string, body: object) => t.hub.admin.raw('PUT', path, body);
    expect((await local('/mentions/read', { upTo: t.forBob.id })).status).toBe(403);
    expect((await local(`/messages/${t.question.id}/replies/read`, { seq: 1 })).status).toBe(403);
  });

  test('stay read when an edit mentions the user again; replies stay listed if an edit removes the mention', async () => {
    await using t = await startTeam();
    const response = await t.reply(t.ada, await t.message(t.bob, 'Who is on call?'), '@Bob');
    const named = await t.message(t.ada, '@Bob');
    const both = [response.id, named.id];
    const edit = async (text: string) => {
      for (const id of both) await t.ada.json('PATCH', `/messages/${id}`, { text });
    };
    await read(t.bob, { itemIds: both });
    await edit('Nobody');
    expect(await page(t.bob)).toEqual({ ids: [response.id], unreadIds: [] });
    expect((await t.show(response)).mentions).toEqual([]);
    await edit('@Bob, once more');
    expect(await page(t.bob)).toEqual({ ids: [named.id, response.id], unreadIds: [named.id] });
  });

  test('are unread for a user first mentioned in an edit, but not for the editor', async () => {
    await using t = await startTeam();
    const note = await t.note(t.ada, { content: 'x' });
    const edit = (editor: UserCaller, content: string) => editor.json('PATCH', `/notes/${note.id}`, { content });
    await edit(t.bob, '@Bob');
    expect(await page(t.bob)).toEqual({ ids: [note.id], unreadIds: [] });
    await edit(t.ada, 'x');
    await edit(t.ada, '@Bob');
    expect(await page(t.bob)).toEqual({ ids: [note.id], unreadIds: [note.id] });
  });

  test('concern the writers of the newest hundred replies in a thread who are still members of the Hub', async () => {
    await using t = await startTeam();
    const { store } = t.hub;
    const cy = await memberOf(t.hub, t.hubId, { name: 'Cy' });
    const question = await t.message(t.ada, 'Who is on call?');
    for (const writer of [t.bob, cy]) await t.reply(writer, question, 'Not me.');
    const replies = Array.from({ length: 98 }, () =>
      insertItem(store, newItem(t.hubId, t.ada.user.id, { kind: 'reply', parentId: question.id })),
    );
    const last = (await Promise.all(replies)).at(-1)?.id ?? '';
    const sorted = async (id: string) => (await store.mentions.threadParticipants(id)).toSorted();
    expect(await sorted(last)).toEqual([t.bob.user.id, cy.user.id].toSorted());
    expect(await sorted((await t.reply(t.ada, question, 'I am.')).id)).toEqual([cy.user.id]);
    await t.hub.admin.raw('DELETE', `/hubs/${t.hubId}/members/${cy.user.id}`);
    expect(await sorted((await t.reply(t.bob, question, 'Thanks.')).id)).toEqual([t.ada.user.id]);
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
