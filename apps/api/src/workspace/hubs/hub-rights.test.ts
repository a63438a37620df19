import { describe, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

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

describe('the list of Hubs', () => {
  test('shows members the Hubs they are a member of', async () => {
    await using t = await setUp();
    expect(await listOf(t.ada)).toEqual(['Mine (mine)']);
    expect(await listOf(t.ada, '?membership=mine')).toEqual(['Mine (mine)']);
    expect(await listOf(await tokenOf(t.hub, t.ada.user))).toEqual(['Mine (mine)']);
  });

  test('shows admins and owners all Hubs and which are their own, or only their own on request', async () => {
    await using t = await setUp();
    for (const caller of [t.admin, t.owner]) {
      expect(await listOf(caller)).toEqual(['Other', 'Mine']);
      expect(await listOf(caller, '?membership=mine')).toEqual([]);
      await addMember(t.hub, t.mine.id, caller.user);
      expect(await listOf(caller)).toEqual(['Other', 'Mine (mine)']);
      expect(await listOf(caller, '?membership=mine')).toEqual(['Mine (mine)']);
    }
  });

  test('is paginated, including for members', async () => {
    await using t = await setUp();
    await addMember(t.hub, t.other.id, t.ada.user);
    const page = async (query: string) =>
      (await t.ada.json<{ items: Hub[]; next: string | null }>('GET', `/hubs${query}`)).body;
    const first = await page('?limit=1');
    expect([first.items.map(({ id }) => id), first.next]).toEqual([[t.other.id], t.other.id]);
    const second = await page(`?limit=1&before=${first.next}`);
    expect([second.items.map(({ id }) => id), second.next]).toEqual([[t.mine.id], null]);
  });

  test('shows deleted Hubs to admins only', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.mine.id);
    expect(await listOf(t.ada)).toEqual([]);
    expect(await listOf(t.admin, '?state=deleted')).toEqual(['Mine']);
    expect(await listOf(t.admin, '?state=all')).toEqual(['Other', 'Mine']);
    for (const state of ['deleted', 'all']) expect(await statusOf(t.ada, 'GET', `/hubs?state=${state}`)).toBe(403);
  });

  test('returns 403 if the local admin asks for their own Hubs', async () => {
    await using t = await setUp();
    expect((await t.hub.admin.raw('GET', '/hubs?membership=mine')).status).toBe(403);
    expect((await t.hub.admin.raw('GET', '/hubs?membership=yours')).status).toBe(400);
    expect((await t.hub.admin.listHubs()).items.map(({ isMember, readSeq }) => [isMember, readSeq])).toEqual([
      [false, null],
      [false, null],
    ]);
  });
});

describe('a Hub', () => {
  test('is visible to its members and to admins; others get 404', async () => {
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

  test('is visible only to admins once it is deleted', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.mine.id);
    expect(await statusOf(t.ada, 'GET', `/hubs/${t.mine.id}`)).toBe(404);
    expect(await statusOf(t.admin, 'GET', `/hubs/${t.mine.id}`)).toBe(200);
  });
});

describe('admins', () => {
  test('can change, delete and restore Hubs that they are not a member of', async () => {
    await using t = await setUp();
    for (const caller of [t.admin, t.owner, await tokenOf(t.hub, t.admin.user)]) {
      const renamed = await caller.json<Hub>('PATCH', `/hubs/${t.mine.id}`, { name: `By ${caller.user.email}` });
      expect([renamed.status, renamed.body.isMember]).toEqual([200, false]);
      expect(await statusOf(caller, 'DELETE', `/hubs/${t.mine.id}`)).toBe(200);
      expect(await statusOf(caller, 'POST', `/hubs/${t.mine.id}/restoration`)).toBe(200);
    }
  });

  test('can read only Hubs they are a member of; for others, the error says how to become a member', async () => {
    await using t = await setUp();
    for (const caller of [t.admin, t.owner]) {
      for (const path of ['messages', 'notes', 'todos']) {
        const { status, body } = await caller.json<{ message: string }>('GET', `/hubs/${t.mine.id}/${path}`);
        expect(status).toBe(403);
        expect(body.message).toContain('add yourself as a member first.');
      }
    }
  });

  test('are the only ones who manage Hubs: members and non-members get 403', async () => {
    await using t = await setUp();
    expect(await statusOf(t.ada, 'POST', '/hubs', { name: 'x' })).toBe(403);
    for (const { id } of [t.mine, t.other]) {
      expect(await statusOf(t.ada, 'PATCH', `/hubs/${id}`, { name: 'x' })).toBe(403);
      expect(await statusOf(t.ada, 'DELETE', `/hubs/${id}`)).toBe(403);
      expect(await statusOf(t.ada, 'POST', `/hubs/${id}/restoration`)).toBe(403);
    }
    expect(await listOf(t.admin)).toEqual(['Other', 'Mine']);
  });

  test('are members of the Hubs they create', async () => {
    await using t = await setUp();
    const { status, body } = await t.admin.json<Hub>('POST', '/hubs', { name: 'New' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ isMember: true, seq: 0, readSeq: 0, unreadCount: 0 });
    expect(await statusOf(t.admin, 'GET', `/hubs/${body.id}/messages`)).toBe(200);
    expect(await listOf(t.admin, '?membership=mine')).toEqual(['New (mine)']);
  });
});

describe('the retention of a Hub', () => {
  test('is a number of days or null, set by an admin, audited and published to members', async () => {
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
    expect(await t.hub.store.events.read(t.mine.id, 1, 10)).toMatchObject([
      { event: 'hub.changed', data: { name: 'Mine', retentionDays: 90 } },
    ]);
    expect(await daysAfter(null)).toBeNull();
    for (const retentionDays of [0, -1, 1.5, 36_501, '90', ' ']) {
      expect(await statusOf(t.admin, 'PATCH', path, { retentionDays })).toBe(400);
    }
  });

  test('can be changed together with the name; unchanged values have no audit entry', async () => {
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

describe('a deleted Hub', () => {
  test('returns 404 to its keys, closes its live views, and can be restored unchanged', async () => {
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
