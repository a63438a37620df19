import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Item, Removal } from '@hub/contract';
import { type Team, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn } from '@hub/testkit/in-process/users';
import { newPost } from '@hub/testkit/storage/store-records';
import { insertPost } from '@hub/testkit/storage/store-writes';

const START = Date.parse('2026-03-01T09:30:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;

let hub: TestHub;
let team: Team;

beforeEach(async () => {
  hub = await startTestHub();
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});
afterEach(() => hub[Symbol.asyncDispose]());

const path = (keyId = team.keyId) => `/keys/${keyId}/removals`;
async function call<T = Removal>(method: string, at: string, body?: unknown): Promise<{ status: number; body: T }> {
  const response = await hub.admin.raw(method, at, body);
  return { status: response.status, body: (await response.json()) as T };
}
const remove = async (body: unknown = {}) => (await call('POST', path(), body)).body;
const undo = (removal: Removal) => call<Removal & { message?: string }>('DELETE', `${path()}/${removal.id}`);
const minute = (n: number) => new Date(START + n * 60_000).toISOString();

/** Posts one message per minute, starting at minute 0. */
async function postMessages(count: number): Promise<Item[]> {
  const posted: Item[] = [];
  for (let n = 0; n < count; n += 1) {
    posted.push(await team.post('messages', { text: `message ${n}` }));
    hub.clock.advance(60_000);
  }
  return posted;
}
const texts = async () => (await team.messages()).items.map(({ text }) => text);
const itemCount = async () => (await hub.store.workspace.totals(0)).items;

describe('removing posts by a key', () => {
  test('removes posts of every kind, and nothing else', async () => {
    await team.post('messages', { text: 'leaked' });
    await team.post('notes', { content: 'leaked' });
    await team.post('todos', { title: 'leaked' });
    await team.message(team.ada, 'kept');
    const { key } = await hub.admin.issueKey({ hubId: team.hubId });
    await hub.fetch('/api/public/v1/messages', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"text":"of another key"}',
    });
    const seq = await team.seq();
    const { status, body } = await call('POST', path());
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^rmv_/),
      keyId: team.keyId,
      from: null,
      to: null,
      count: 3,
      removedAt: minute(0),
      undoneAt: null,
    });
    expect(await texts()).toEqual(['of another key', 'kept']);
    expect((await team.notes()).items).toEqual([]);
    expect((await team.todos()).items).toEqual([]);
    expect(await team.events(seq)).toEqual(['message.deleted', 'note.deleted', 'todo.deleted']);
    expect(await itemCount()).toBe(2);
  });

  test('removes posts from the start time up to, but not including, the end time', async () => {
    await postMessages(4);
    expect(await remove({ from: minute(1), to: minute(3) })).toMatchObject({
      count: 2,
      from: minute(1),
      to: minute(3),
    });
    expect(await texts()).toEqual(['message 3', 'message 0']);
    expect(await remove({ from: minute(3) })).toMatchObject({ count: 1, to: null });
    expect(await texts()).toEqual(['message 0']);
  });

  test('changes nothing in a preview', async () => {
    await postMessages(3);
    const { seq } = { seq: await team.seq() };
    const { status, body } = await call('POST', path(), { to: minute(2), isPreview: true });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: null,
      keyId: team.keyId,
      from: null,
      to: minute(2),
      count: 2,
      removedAt: null,
      undoneAt: null,
    });
    expect(await texts()).toHaveLength(3);
    expect(await team.seq()).toBe(seq);
    expect((await call<{ items: Removal[] }>('GET', path())).body.items).toEqual([]);
  });

  test('removes the posts from search until the removal is undone', async () => {
    await postMessages(1);
    const found = async () => (await team.ada.json<{ items: Item[] }>('GET', '/search?q=message')).body.items.length;
    expect(await found()).toBe(1);
    const removal = await remove();
    expect(await found()).toBe(0);
    await undo(removal);
    expect(await found()).toBe(1);
  });

  test('is in the audit log with its time range and the number of posts', async () => {
    await postMessages(2);
    const removal = await remove({ to: minute(1) });
    await undo(removal);
    const [restored, removed] = (await hub.admin.audit('?limit=2')).items;
    expect(removed).toMatchObject({
      action: 'posts.removed',
      hubId: team.hubId,
      targetId: team.keyId,
      targetName: 'ci',
      details: { removalId: removal.id, from: null, to: minute(1), count: 1 },
    });
    expect(restored).toMatchObject({ action: 'posts.restored', targetId: team.keyId });
    expect(restored?.details).toEqual({ removalId: removal.id, count: 1 });
  });
});

describe('undoing a removal', () => {
  test('restores everything as it was, with one event per item', async () => {
    const posted = await postMessages(3);
    const removal = await remove();
    const seq = await team.seq();
    hub.clock.advance(60_000);
    const { status, body } = await undo(removal);
    expect(status).toBe(200);
    expect(body).toEqual({ ...removal, undoneAt: minute(4) });
    expect((await team.messages()).items as Item[]).toEqual(posted.toReversed());
    expect(await team.events(seq)).toEqual(['message.restored', 'message.restored', 'message.restored']);
    expect(await itemCount()).toBe(3);
  });

  test('succeeds once when it is requested several times at the same moment', async () => {
    await postMessages(5);
    const removal = await remove();
    const responses = await Promise.all([undo(removal), undo(removal), undo(removal)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await itemCount()).toBe(5);
  });

  test('does not restore items that a user deleted before or after the removal', async () => {
    const [first, second, third] = await postMessages(3);
    const admin = await signedIn(hub, { role: 'admin' });
    await hub.admin.raw('POST', `/hubs/${team.hubId}/members`, { userId: admin.user.id });
    await admin.json('DELETE', `/messages/${first?.id}`);
    const removal = await remove();
    expect(removal.count).toBe(2);
    await admin.json('DELETE', `/messages/${second?.id}`);
    await undo(removal);
    expect((await team.messages()).items.map(({ id }) => id)).toEqual([third?.id ?? '']);
    expect(await itemCount()).toBe(1);
  });

  test('returns 409 after thirty days', async () => {
    await postMessages(1);
    const removal = await remove();
    hub.clock.advance(30 * DAY_MS + 1);
    const late = await undo(removal);
    expect(late.status).toBe(409);
    expect(late.body.message).toBe('The posts were removed more than 30 days ago, and cannot be restored.');
  });
});

describe('a rejected removal request', () => {
  test.each([
    [{ from: 'yesterday' }, 'from must be a valid date'],
    [{ from: minute(1), to: minute(1) }, 'from must be before to'],
    [{ until: minute(1) }, 'until is not a field of a removal'],
    [{ isPreview: 'yes' }, 'isPreview must be true or false'],
  ])('returns 400 for %p', async (body, message) => {
    const response = await call<{ message: string }>('POST', path(), body);
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(message);
  });
});

test('posts by a busy key are removed and restored in parts, and other posts are accepted in between', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId } = await hub.admin.issueKey({ hubId });
  const other = { hubId, id: (await hub.admin.issueKey({ hubId })).id };
  const sent = Array.from({ length: 1_100 }, () => insertPost(hub.store, newPost({ hubId, id: keyId })));
  await Promise.all(sent);
  const responded: string[] = [];
  const posting = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) {
      await insertPost(hub.store, newPost(other));
      responded.push('post');
    }
  };
  const removal = async (method: string, path: string) => {
    const response = await hub.admin.raw(method, path);
    responded.push('removal');
    return (await response.json()) as { id: string; count: number; undoneAt: string | null };
  };

  const [removed] = await Promise.all([removal('POST', `/keys/${keyId}/removals`), posting()]);
  expect(removed.count).toBe(1_100);
  expect(responded).toEqual(['post', 'post', 'post', 'removal']);
  expect((await hub.store.workspace.totals(0)).items).toBe(3);
  const deletions = await hub.query("SELECT seq FROM events WHERE event = 'message.deleted'");
  expect(deletions).toHaveLength(1_100);

  await removal('DELETE', `/keys/${keyId}/removals/${removed.id}`);
  expect((await hub.store.workspace.totals(0)).items).toBe(1_103);
  expect((await hub.store.removals.list({ keyId, limit: 1 }))[0]).toMatchObject({ count: 1_100 });
});
