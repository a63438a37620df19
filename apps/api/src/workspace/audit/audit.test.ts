import { describe, expect, test } from 'bun:test';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn } from '@hub/testkit/in-process/users';
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
});
