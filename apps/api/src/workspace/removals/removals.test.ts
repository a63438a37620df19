import { expect, test } from 'bun:test';
import type { Message, Removal } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { post } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { newPost } from '../../../test/store/records.ts';
import { insertPost, insertPosts } from '../../../test/store/writes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const team = perTest(startTeam);

const call = <T = Removal>(method: string, removalId = '', body?: object) =>
  team.hub.admin.json<T & { message?: string }>(method, `/keys/${team.keyId}/removals${removalId}`, body);
const remove = async (body: object = {}) => (await call('POST', '', body)).body;
const undo = ({ id }: Removal) => call('DELETE', `/${id}`);
const minute = (n: number) => new Date(Date.parse('2026-03-01T09:30:00.000Z') + n * 60_000).toISOString();

/** Posts one message per minute, starting at minute 0. */
async function postMessages(count: number): Promise<Message[]> {
  const posted: Message[] = [];
  for (let n = 0; n < count; n += 1) {
    posted.push(await team.post('messages', { text: `message ${n}` }));
    team.hub.clock.advance(60_000);
  }
  return posted;
}
const texts = async () => (await team.messages()).items.map(({ text }) => text);
const itemCount = async () => (await team.hub.store.workspace.totals(0)).items;

test('removing posts by a key removes posts of every kind, and nothing else', async () => {
  await team.post('messages', { text: 'leaked' });
  await team.post('notes', { content: 'leaked' });
  await team.post('todos', { title: 'leaked' });
  await team.message(team.ada, 'kept');
  const { key } = await team.hub.admin.issueKey({ hubId: team.hubId });
  await post(team.hub, 'messages', key, { text: 'of another key' });
  const seq = await team.seq();
  const removal = { keyId: team.keyId, from: null, to: null, count: 3, removedAt: minute(0), undoneAt: null };
  expect(await call('POST')).toMatchObject({ status: 201, body: removal });
  expect(await texts()).toEqual(['of another key', 'kept']);
  expect([(await team.notes()).items, (await team.todos()).items]).toEqual([[], []]);
  expect(await team.events(seq)).toEqual(['message.deleted', 'note.deleted', 'todo.deleted']);
  expect(await itemCount()).toBe(2);
});

test('removing posts by a key removes posts from the start time up to, but not including, the end time; a preview changes nothing', async () => {
  await postMessages(4);
  const seq = await team.seq();
  const range = { from: minute(1), to: minute(3), count: 2 };
  const { status, body } = await call('POST', '', { from: minute(1), to: minute(3), isPreview: true });
  expect([status, body]).toEqual([200, { id: null, keyId: team.keyId, ...range, removedAt: null, undoneAt: null }]);
  expect(await team.seq()).toBe(seq);
  expect((await call<{ items: Removal[] }>('GET')).body.items).toEqual([]);
  expect(await remove({ from: minute(1), to: minute(3) })).toMatchObject(range);
  expect(await texts()).toEqual(['message 3', 'message 0']);
  expect(await remove({ from: minute(3) })).toMatchObject({ count: 1, to: null });
  expect(await texts()).toEqual(['message 0']);
});

test('removing posts by a key leaves out chosen posts, and ignores those of others', async () => {
  const [, second] = await postMessages(3);
  const other = await team.message(team.ada, 'kept');
  const exceptIds = [second?.id, other.id, 'msg_unknown'];
  expect((await call('POST', '', { exceptIds, isPreview: true })).body.count).toBe(2);
  expect((await remove({ from: minute(0), exceptIds })).count).toBe(2);
  expect(await texts()).toEqual(['kept', 'message 1']);
});

test('removing posts by a key returns 400 for a wrong time, and for a range that is empty', async () => {
  expect(outcomeOf(await call('POST', '', { from: 'yesterday' }))).toStartWith('400 from must be a valid date');
  const empty = { from: minute(1), to: minute(1) };
  expect(outcomeOf(await call('POST', '', empty))).toStartWith('400 from must be before to');
});

test('undoing a removal restores everything as it was, in lists and in search, with one event per item; both are audited', async () => {
  const posted = await postMessages(3);
  const inSearch = async () => (await team.ada.request('GET /search', { query: { q: 'message' } })).items.length;
  expect(await inSearch()).toBe(3);
  const removal = await remove({ to: minute(3) });
  expect(await inSearch()).toBe(0);
  const seq = await team.seq();
  team.hub.clock.advance(60_000);
  expect(await undo(removal)).toMatchObject({ status: 200, body: { ...removal, undoneAt: minute(4) } });
  expect((await team.messages()).items).toEqual(posted.toReversed());
  expect([await inSearch(), await itemCount()]).toEqual([3, 3]);
  expect(await team.events(seq)).toEqual(['message.restored', 'message.restored', 'message.restored']);
  const target = { hubId: team.hubId, targetId: team.keyId, targetName: 'ci' };
  const details = { removalId: removal.id, count: 3 };
  expect((await team.hub.admin.audit('?limit=2')).items).toMatchObject([
    { action: 'posts.restored', ...target, details },
    { action: 'posts.removed', ...target, details: { ...details, from: null, to: minute(3) } },
  ]);
});

test('undoing a removal succeeds once when it is requested several times at the same moment', async () => {
  await postMessages(5);
  const removal = await remove();
  const responses = await Promise.all([undo(removal), undo(removal), undo(removal)]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await itemCount()).toBe(5);
});

test('undoing a removal does not restore items that a user deleted before or after the removal, and returns 409 after thirty days', async () => {
  const [first, second, third, fourth] = await postMessages(4);
  const admin = await memberOf(team.hub, team.hubId, { role: 'admin' });
  await admin.json('DELETE', `/messages/${first?.id}`);
  const removal = await remove();
  expect(removal.count).toBe(3);
  await admin.json('DELETE', `/messages/${second?.id}`);
  await admin.json('POST', `/items/${fourth?.id}/restoration`);
  await admin.json('DELETE', `/messages/${fourth?.id}`);
  await undo(removal);
  expect((await team.messages()).items.map(({ id }) => id)).toEqual([third?.id ?? '']);
  expect(await itemCount()).toBe(1);
  const other = await remove();
  team.hub.clock.advance(30 * DAY_MS + 1);
  expect(outcomeOf(await undo(other))).toStartWith('409 The posts were removed more than 30 days ago');
});

test('posts by a busy key are removed and restored in parts, and other posts are accepted in between', async () => {
  const { hub, hubId, keyId } = team;
  const other = { hubId, id: (await hub.admin.issueKey({ hubId })).id };
  await insertPosts(hub.store, { hubId, id: keyId }, 1_100);
  const responded: string[] = [];
  const posting = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) {
      await insertPost(hub.store, newPost(other));
      responded.push('post');
    }
  };
  const removing = async () => {
    const removal = await remove();
    responded.push('removal');
    return removal;
  };
  const [removed] = await Promise.all([removing(), posting()]);
  expect(removed.count).toBe(1_100);
  expect(responded).toEqual(['post', 'post', 'post', 'removal']);
  expect(await itemCount()).toBe(3);
  expect(await hub.query("SELECT seq FROM events WHERE event = 'message.deleted'")).toHaveLength(1_100);
  await undo(removed);
  expect(await itemCount()).toBe(1_103);
});
