import { describe, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { liveClient } from '../testing/live-client.ts';
import { post, startTestHub } from '../testing/start-test-hub.ts';
import { addMember, signedIn, tokenOf, type UserCaller } from '../testing/users.ts';

async function setUp() {
  const hub = await startTestHub();
  const mine = await hub.admin.createHub('Mine');
  const other = await hub.admin.createHub('Other');
  const admin = await signedIn(hub, { role: 'admin' });
  const owner = await signedIn(hub, { role: 'owner' });
  const ada = await signedIn(hub);
  await addMember(hub, mine.id, ada.user);
  const dispose = () => hub[Symbol.asyncDispose]();
  return { hub, mine, other, admin, owner, ada, [Symbol.asyncDispose]: dispose };
}

const statusOf = async (caller: UserCaller, method: string, path: string, body?: unknown) =>
  (await caller.json(method, path, body)).status;

async function listOf(caller: UserCaller, query = '') {
  const { body } = await caller.json<{ items: Hub[] }>('GET', `/hubs${query}`);
  return body.items.map(({ name, isMember }) => `${name}${isMember ? ' (mine)' : ''}`);
}

describe('Hubs are listed', () => {
  test('to a member: those that he belongs to', async () => {
    await using t = await setUp();
    expect(await listOf(t.ada)).toEqual(['Mine (mine)']);
    expect(await listOf(t.ada, '?membership=mine')).toEqual(['Mine (mine)']);
    expect(await listOf(await tokenOf(t.hub, t.ada.user))).toEqual(['Mine (mine)']);
  });

  test('to admins and owners: all, and which of them are theirs; or only these', async () => {
    await using t = await setUp();
    for (const caller of [t.admin, t.owner]) {
      expect(await listOf(caller)).toEqual(['Other', 'Mine']);
      expect(await listOf(caller, '?membership=mine')).toEqual([]);
      await addMember(t.hub, t.mine.id, caller.user);
      expect(await listOf(caller)).toEqual(['Other', 'Mine (mine)']);
      expect(await listOf(caller, '?membership=mine')).toEqual(['Mine (mine)']);
    }
  });

  test('page by page, for a member too', async () => {
    await using t = await setUp();
    await addMember(t.hub, t.other.id, t.ada.user);
    const page = async (query: string) =>
      (await t.ada.json<{ items: Hub[]; next: string | null }>('GET', `/hubs${query}`)).body;
    const first = await page('?limit=1');
    expect([first.items.map(({ id }) => id), first.next]).toEqual([[t.other.id], t.other.id]);
    const second = await page(`?limit=1&before=${first.next}`);
    expect([second.items.map(({ id }) => id), second.next]).toEqual([[t.mine.id], null]);
  });

  test('to nobody but admins if they were deleted', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.mine.id);
    expect(await listOf(t.ada)).toEqual([]);
    expect(await listOf(t.admin, '?state=deleted')).toEqual(['Mine']);
    expect(await listOf(t.admin, '?state=all')).toEqual(['Other', 'Mine']);
    for (const state of ['deleted', 'all']) expect(await statusOf(t.ada, 'GET', `/hubs?state=${state}`)).toBe(403);
  });

  test('not as his own to the local admin, who is nobody', async () => {
    await using t = await setUp();
    expect((await t.hub.admin.raw('GET', '/hubs?membership=mine')).status).toBe(403);
    expect((await t.hub.admin.raw('GET', '/hubs?membership=yours')).status).toBe(400);
    expect((await t.hub.admin.listHubs()).items.map(({ isMember, readSeq }) => [isMember, readSeq])).toEqual([
      [false, null],
      [false, null],
    ]);
  });
});

describe('a Hub is shown', () => {
  test('to its members and to admins; to others it is as if there were none', async () => {
    await using t = await setUp();
    expect((await t.ada.json('GET', `/hubs/${t.mine.id}`)).body).toMatchObject({
      name: 'Mine',
      isMember: true,
      seq: 1,
      readSeq: 1,
      unreadCount: 0,
    });
    expect((await t.admin.json('GET', `/hubs/${t.other.id}`)).body).toMatchObject({
      name: 'Other',
      isMember: false,
      readSeq: null,
      unreadCount: null,
    });
    const hidden = await t.ada.json<{ message: string }>('GET', `/hubs/${t.other.id}`);
    expect([hidden.status, hidden.body.message]).toEqual([404, `There is no Hub ${t.other.id}.`]);
  });

  test('to admins alone once it is deleted', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.mine.id);
    expect(await statusOf(t.ada, 'GET', `/hubs/${t.mine.id}`)).toBe(404);
    expect(await statusOf(t.admin, 'GET', `/hubs/${t.mine.id}`)).toBe(200);
  });
});

describe('admins manage every Hub', () => {
  test('also those that they do not belong to: they change, delete and restore them', async () => {
    await using t = await setUp();
    for (const caller of [t.admin, t.owner, await tokenOf(t.hub, t.admin.user)]) {
      const renamed = await caller.json<Hub>('PATCH', `/hubs/${t.mine.id}`, { name: `By ${caller.user.email}` });
      expect([renamed.status, renamed.body.isMember]).toEqual([200, false]);
      expect(await statusOf(caller, 'DELETE', `/hubs/${t.mine.id}`)).toBe(200);
      expect(await statusOf(caller, 'POST', `/hubs/${t.mine.id}/restoration`)).toBe(200);
    }
  });

  test('but read only those that they belong to, and are told how to get in', async () => {
    await using t = await setUp();
    for (const caller of [t.admin, t.owner]) {
      for (const path of ['messages', 'notes', 'todos']) {
        const { status, body } = await caller.json<{ message: string }>('GET', `/hubs/${t.mine.id}/${path}`);
        expect(status).toBe(403);
        expect(body.message).toContain('Add yourself to its members first.');
      }
    }
  });

  test('and nobody else: members get 403, outsiders and members alike', async () => {
    await using t = await setUp();
    expect(await statusOf(t.ada, 'POST', '/hubs', { name: 'x' })).toBe(403);
    for (const { id } of [t.mine, t.other]) {
      expect(await statusOf(t.ada, 'PATCH', `/hubs/${id}`, { name: 'x' })).toBe(403);
      expect(await statusOf(t.ada, 'DELETE', `/hubs/${id}`)).toBe(403);
      expect(await statusOf(t.ada, 'POST', `/hubs/${id}/restoration`)).toBe(403);
    }
    expect(await listOf(t.admin)).toEqual(['Other', 'Mine']);
  });

  test('and belong to those that they create', async () => {
    await using t = await setUp();
    const { status, body } = await t.admin.json<Hub>('POST', '/hubs', { name: 'New' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ isMember: true, seq: 0, readSeq: 0, unreadCount: 0 });
    expect(await statusOf(t.admin, 'GET', `/hubs/${body.id}/messages`)).toBe(200);
    expect(await listOf(t.admin, '?membership=mine')).toEqual(['New (mine)']);
  });
});

describe('the retention of a Hub', () => {
  test('is a number of days or none, set by an admin, audited and told to its members', async () => {
    await using t = await setUp();
    const path = `/hubs/${t.mine.id}`;
    const daysAfter = async (retentionDays: number | null) =>
      (await t.admin.json<Hub>('PATCH', path, { retentionDays })).body.retentionDays;
    expect(await daysAfter(90)).toBe(90);
    expect((await t.hub.admin.audit('?limit=1')).items[0]).toMatchObject({
      action: 'hub.changed',
      actor: { id: t.admin.user.id },
      details: { retentionDays: 90, formerRetentionDays: null },
    });
    expect(t.hub.store.events.read(t.mine.id, 1, 10)).toMatchObject([
      { event: 'hub.changed', data: { name: 'Mine', retentionDays: 90 } },
    ]);
    expect(await daysAfter(null)).toBeNull();
    for (const retentionDays of [0, -1, 1.5, 36_501, '90', ' ']) {
      expect(await statusOf(t.admin, 'PATCH', path, { retentionDays })).toBe(400);
    }
  });

  test('and its name can be changed at once; one that stays as it is has no entry', async () => {
    await using t = await setUp();
    const path = `/hubs/${t.mine.id}`;
    await t.admin.json('PATCH', path, { name: 'Deploys', retentionDays: 30 });
    await t.admin.json('PATCH', path, { name: 'Deploys', retentionDays: 7 });
    await t.admin.json('PATCH', path, { name: 'Deploys', retentionDays: 7 });
    const { items } = await t.hub.admin.audit(`?hubId=${t.mine.id}&limit=2`);
    expect(items.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'hub.changed', details: { retentionDays: 7, formerRetentionDays: 30 } },
      {
        action: 'hub.renamed',
        details: { from: 'Mine', to: 'Deploys', retentionDays: 30, formerRetentionDays: null },
      },
    ]);
  });
});

describe('a Hub that an admin deletes', () => {
  test('answers its keys 404 from then on, its views close, and it can be restored as it was', async () => {
    await using t = await setUp();
    const { key } = await t.hub.admin.issueKey({ hubId: t.mine.id });
    const send = async () => (await post(t.hub, 'messages', key, { text: 'x' })).status;
    expect(await send()).toBe(201);
    using live = await liveClient(t.hub, t.ada.headers);
    await live.subscribe(t.mine.id);
    expect(await statusOf(t.admin, 'DELETE', `/hubs/${t.mine.id}`)).toBe(200);
    const closed = await live.until(
      (frame): frame is Extract<typeof frame, { type: 'error' }> => frame.type === 'error',
    );
    expect([closed.code, closed.hubId]).toEqual(['hub_deleted', t.mine.id]);
    expect(await send()).toBe(404);
    expect(await statusOf(t.ada, 'GET', `/hubs/${t.mine.id}/messages`)).toBe(404);
    expect(await statusOf(t.admin, 'POST', `/hubs/${t.mine.id}/restoration`)).toBe(200);
    expect(await send()).toBe(201);
    const { body } = await t.ada.json<{ items: unknown[] }>('GET', `/hubs/${t.mine.id}/messages`);
    expect(body.items).toHaveLength(2);
  });
});
