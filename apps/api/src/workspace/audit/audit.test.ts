import { describe, expect, test } from 'bun:test';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn } from '@hub/testkit/in-process/users';
import { LOCAL_ADMIN } from '../../access/caller.ts';

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub('Releases');
  const issued = await hub.admin.issueKey({ hubId, name: 'canary-watch', scopes: ['messages:create'] });
  /** Returns the newest entry without its id. */
  const newest = async () => {
    const [entry] = (await hub.admin.audit('?limit=1')).items;
    const { id, ...rest } = entry ?? { id: '' };
    expect(id).toMatch(/^aud_/);
    return rest;
  };
  const base = { actor: LOCAL_ADMIN, address: 'local', hubId, targetId: issued.id, targetName: 'canary-watch' };
  return { hub, hubId, issued, newest, base, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('the audit log records actor, time and address of', () => {
  test('each issued key', async () => {
    await using t = await setUp();
    expect(await t.newest()).toEqual({
      ...t.base,
      action: 'key.issued',
      at: '2026-03-01T09:30:00.000Z',
      details: { scopes: ['messages:create'], expiresAt: null },
    });
  });

  test('each rotation', async () => {
    await using t = await setUp();
    t.hub.clock.advance(1_000);
    const next = await t.hub.admin.rotateKey(t.issued.id, { lifetimeSeconds: 60 });
    expect(await t.newest()).toEqual({
      ...t.base,
      action: 'key.rotated',
      at: '2026-03-01T09:30:01.000Z',
      details: {
        successorId: next.id,
        expiresAt: '2026-03-01T09:31:01.000Z',
        overlapEndsAt: '2026-03-02T09:30:01.000Z',
      },
    });
  });

  test('each replacement', async () => {
    await using t = await setUp();
    const next = await t.hub.admin.replaceKey(t.issued.id);
    expect(await t.newest()).toEqual({
      ...t.base,
      action: 'key.replaced',
      at: '2026-03-01T09:30:00.000Z',
      details: { successorId: next.id, expiresAt: null },
    });
  });

  test('each revocation', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.issued.id);
    expect(await t.newest()).toEqual({
      ...t.base,
      action: 'key.revoked',
      at: '2026-03-01T09:30:00.000Z',
      details: {},
    });
  });

  test('each block, once, with the address of the request that caused it', async () => {
    await using t = await setUp();
    t.hub.setClientAddress('198.51.100.7');
    const request = () => post(t.hub, 'messages', t.issued.key, { text: 'x' });
    await Promise.all(Array.from({ length: 70 }, request));
    expect(await t.newest()).toEqual({
      ...t.base,
      actor: { kind: 'server', id: null, name: 'server' },
      address: '198.51.100.7',
      action: 'key.blocked',
      at: '2026-03-01T09:30:00.000Z',
      details: { until: '2026-03-01T09:35:00.000Z' },
    });
    const blocks = async () =>
      (await t.hub.admin.audit()).items.filter(({ action }) => action === 'key.blocked').length;
    expect(await blocks()).toBe(1);
    t.hub.clock.advance(300_000);
    await Promise.all(Array.from({ length: 61 }, request));
    expect(await blocks()).toBe(2);
  });

  test('each change to a Hub', async () => {
    await using t = await setUp();
    await t.hub.admin.raw('PATCH', `/hubs/${t.hubId}`, { name: 'Deploys' });
    await t.hub.admin.deleteHub(t.hubId);
    await t.hub.admin.restoreHub(t.hubId);
    const { items } = await t.hub.admin.audit(`?hubId=${t.hubId}`);
    expect(items.map(({ action, targetName }) => `${action} ${targetName}`)).toEqual([
      'hub.restored Deploys',
      'hub.deleted Deploys',
      'hub.renamed Releases',
      'key.issued canary-watch',
      'hub.created Releases',
    ]);
    expect(items[2]?.details).toEqual({ from: 'Releases', to: 'Deploys' });
  });
});

describe('the audit log', () => {
  test('lists the entries of a deleted Hub, and returns 404 for an unknown Hub', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.hubId);
    expect((await t.hub.admin.audit(`?hubId=${t.hubId}`)).items).toHaveLength(3);
    const unknown = await t.hub.admin.raw('GET', '/audit?hubId=hub_unknown');
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      expect.objectContaining({ message: 'There is no Hub hub_unknown.' }),
    ]);
  });

  test('has no entries for rejected requests or for requests that change nothing', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.issued.id);
    const before = (await t.hub.admin.audit()).items;
    await t.hub.admin.revokeKey(t.issued.id);
    await t.hub.admin.restoreHub(t.hubId);
    await t.hub.admin.raw('POST', `/keys/${t.issued.id}/rotation`, {});
    await t.hub.admin.raw('POST', '/keys', { hubId: 'hub_unknown', name: 'x', scopes: ['notes:create'] });
    expect((await t.hub.admin.audit()).items).toEqual(before);
  });

  test('never holds a key or its hash', async () => {
    await using t = await setUp();
    const next = await t.hub.admin.rotateKey(t.issued.id);
    await t.hub.admin.replaceKey(next.id);
    const text = await (await t.hub.admin.raw('GET', '/audit')).text();
    for (const { key } of [t.issued, next]) {
      expect(text).not.toContain(key.slice(9, 43));
      expect(text).not.toContain(new Bun.CryptoHasher('sha256').update(key).digest('hex'));
    }
    expect(text).not.toContain('hub_live_');
  });

  test('lists the newest entries first, with pagination and a filter by Hub', async () => {
    await using t = await setUp();
    const other = await t.hub.admin.createHub('Other');
    const first = await t.hub.admin.audit('?limit=2');
    expect(first.items.map(({ action, hubId }) => `${action} ${hubId}`)).toEqual([
      `hub.created ${other.id}`,
      `key.issued ${t.hubId}`,
    ]);
    const second = await t.hub.admin.audit(`?limit=2&before=${first.next}`);
    expect(second.items.map(({ action }) => action)).toEqual(['hub.created']);
    expect(second.next).toBeNull();
    expect((await t.hub.admin.audit(`?hubId=${other.id}`)).items).toHaveLength(1);
  });

  test('filters by actor and by action', async () => {
    await using t = await setUp();
    const ada = await signedIn(t.hub, { role: 'admin', name: 'Ada' });
    await ada.json('POST', '/hubs', { name: 'Hers' });
    await ada.json('POST', `/keys/${t.issued.id}/revocation`);
    const found = async (query: string) =>
      (await t.hub.admin.audit(`?${query}`)).items.map(({ action, actor }) => `${action} by ${actor.name}`);
    const hers = `actorId=${ada.user.id}`;
    expect(await found(`${hers}&hubId=${t.hubId}`)).toEqual(['key.revoked by Ada']);
    expect(await found('action=hub.created')).toEqual(['hub.created by Ada', 'hub.created by local admin']);
    expect(await found(`${hers}&action=hub.created`)).toEqual(['hub.created by Ada']);
    expect(await found('actorId=usr_unknown')).toEqual([]);
    const rejected = await t.hub.admin.raw('GET', '/audit?action=hub.invented');
    expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('action must be one of')]);
  });

  test('filters by target and by kind of actor', async () => {
    await using t = await setUp();
    const other = await t.hub.admin.issueKey({ hubId: t.hubId, name: 'other' });
    const ada = await signedIn(t.hub, { role: 'admin', name: 'Ada' });
    await ada.json('POST', `/keys/${t.issued.id}/revocation`);
    const found = async (query: string) =>
      (await t.hub.admin.audit(`?${query}`)).items.map(({ action, targetName }) => `${action} ${targetName}`);
    const ofKey = `targetId=${t.issued.id}`;
    expect(await found(ofKey)).toEqual(['key.revoked canary-watch', 'key.issued canary-watch']);
    expect(await found(`targetId=${other.id}`)).toEqual(['key.issued other']);
    expect(await found(`${ofKey}&actorKind=user`)).toEqual(['key.revoked canary-watch']);
    expect(await found(`${ofKey}&actorKind=local&hubId=${t.hubId}`)).toEqual(['key.issued canary-watch']);
    expect(await found(`${ofKey}&actorKind=server`)).toEqual([]);
    const rejected = await t.hub.admin.raw('GET', '/audit?actorKind=robot');
    expect([rejected.status, await rejected.text()]).toEqual([
      400,
      expect.stringContaining('actorKind must be one of'),
    ]);
  });

  test('filters by time: at or after `from`, before `to`', async () => {
    await using t = await setUp();
    const at = (minutes: number) => new Date(Date.parse('2026-03-01T09:30:00Z') + minutes * 60_000).toISOString();
    for (const name of ['one', 'two', 'three']) {
      t.hub.clock.advance(60_000);
      await t.hub.admin.createHub(name);
    }
    const found = async (query: string) =>
      (await t.hub.admin.audit(`?action=hub.created&${query}`)).items.map(({ targetName }) => targetName);
    expect(await found(`from=${at(2)}`)).toEqual(['three', 'two']);
    expect(await found(`to=${at(2)}`)).toEqual(['one', 'Releases']);
    expect(await found(`from=${at(1)}&to=${at(2)}`)).toEqual(['one']);
    expect(await found(`from=${at(4)}`)).toEqual([]);
    expect(await found('from=1960-01-01T00:00Z&to=9999-12-31T23:59Z')).toHaveLength(4);
    expect(await found(`from=${encodeURIComponent('2026-03-01T10:31+01:00')}&limit=2`)).toEqual(['three', 'two']);
    for (const wrong of ['from=yesterday', 'to=2026-03-01', 'from=']) {
      const rejected = await t.hub.admin.raw('GET', `/audit?${wrong}`);
      expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('must be a valid date')]);
    }
  });

  test('returns 403 to members and 401 without credentials', async () => {
    await using t = await setUp();
    const [admin, member] = [await signedIn(t.hub, { role: 'admin' }), await memberOf(t.hub, t.hubId)];
    expect((await admin.json('GET', '/audit')).status).toBe(200);
    expect((await member.json('GET', `/audit?hubId=${t.hubId}`)).status).toBe(403);
    expect((await t.hub.fetch('/api/v1/audit')).status).toBe(401);
  });
});
