import { describe, expect, test } from 'bun:test';
import type { ApiKey, IssuedKey } from '@hub/contract';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

interface Rejected {
  message: string;
}

/** Sets up two Hubs with one key and one member each, and an admin who is a member of neither. */
async function setUp() {
  const hub = await startTestHub();
  const [{ id: hubId }, { id: otherId }] = [await hub.admin.createHub('Mine'), await hub.admin.createHub('Other')];
  const key = await hub.admin.issueKey({ hubId, name: 'mine' });
  const otherKey = await hub.admin.issueKey({ hubId: otherId, name: 'other' });
  const ada = await memberOf(hub, hubId, { name: 'Ada' });
  const otto = await memberOf(hub, otherId, { name: 'Otto' });
  const admin = await signedIn(hub, { role: 'admin', name: 'Grace' });
  const issue = (caller: UserCaller, of = hubId) =>
    caller.json<IssuedKey & Rejected>('POST', '/keys', { hubId: of, name: 'ci', scopes: ['messages:create'] });
  const namesOf = async (caller: UserCaller, query = '') =>
    (await caller.json<{ items: ApiKey[] }>('GET', `/keys${query}`)).body.items.map(({ name }) => name);
  const restrictToAdmins = async () => {
    const response = await hub.admin.raw('PATCH', '/workspace', { membersManageKeys: false });
    expect(response.status).toBe(200);
  };
  const dispose = () => hub[Symbol.asyncDispose]();
  return {
    ...{ hub, hubId, otherId, key, otherKey, ada, otto, admin },
    ...{ issue, namesOf, restrictToAdmins, [Symbol.asyncDispose]: dispose },
  };
}

/** Every operation on one key. Operations that make it invalid come last. */
const OPERATIONS = [
  ['GET', '', 200],
  ['GET', '/usage', 200],
  ['POST', '/rotation', 201],
  ['POST', '/replacement', 409],
  ['POST', '/revocation', 200],
] as const;

describe('the keys of a Hub', () => {
  test('are managed by its members: list, show, issue, rotate, replace, revoke', async () => {
    await using t = await setUp();
    for (const caller of [t.ada, await tokenOf(t.hub, t.ada.user)]) {
      const issued = await t.issue(caller);
      expect(issued.status).toBe(201);
      expect((await post(t.hub, 'messages', issued.body.key, { text: 'x' })).status).toBe(201);
      for (const [method, path, status] of OPERATIONS) {
        const response = await caller.json(method, `/keys/${issued.body.id}${path}`);
        expect([path, response.status]).toEqual([path, status]);
      }
    }
    const replaced = await t.ada.json<IssuedKey>('POST', `/keys/${t.key.id}/replacement`);
    expect([replaced.status, replaced.body.predecessorId]).toEqual([201, t.key.id]);
    expect((await post(t.hub, 'messages', t.key.key, { text: 'x' })).status).toBe(401);
  });

  test('are managed by admins, even in Hubs that they do not belong to', async () => {
    await using t = await setUp();
    expect(await t.namesOf(t.admin)).toEqual(['other', 'mine']);
    for (const of of [t.hubId, t.otherId]) {
      const issued = await t.issue(t.admin, of);
      expect(issued.status).toBe(201);
      for (const [method, path, status] of OPERATIONS) {
        expect((await t.admin.json(method, `/keys/${issued.body.id}${path}`)).status).toBe(status);
      }
    }
  });

  test('are hidden from everyone else: each operation responds as for an unknown key', async () => {
    await using t = await setUp();
    for (const [method, path] of OPERATIONS) {
      for (const id of [t.otherKey.id, 'key_unknown']) {
        const { status, body } = await t.ada.json<Rejected>(method, `/keys/${id}${path}`);
        expect([status, body.message]).toEqual([404, `There is no key ${id}.`]);
      }
    }
    expect(await t.hub.admin.showKey(t.otherKey.id)).toMatchObject({ state: 'active', successorId: null });
    for (const of of [t.otherId, 'hub_unknown']) {
      const { status, body } = await t.issue(t.ada, of);
      expect([status, body.message]).toEqual([404, `There is no Hub ${of}.`]);
    }
    expect(await t.namesOf(t.admin)).toEqual(['other', 'mine']);
  });

  test('are listed to a member only for their own Hubs, whatever the filter', async () => {
    await using t = await setUp();
    expect(await t.namesOf(t.ada)).toEqual(['mine']);
    expect(await t.namesOf(t.ada, `?hubId=${t.hubId}`)).toEqual(['mine']);
    for (const of of [t.otherId, 'hub_unknown']) {
      const { status, body } = await t.ada.json<Rejected>('GET', `/keys?hubId=${of}`);
      expect([status, body.message]).toEqual([404, `There is no Hub ${of}.`]);
    }
    const unknown = await t.admin.json<Rejected>('GET', '/keys?hubId=hub_unknown');
    expect([unknown.status, unknown.body.message]).toEqual([404, 'There is no Hub hub_unknown.']);
    expect(await t.namesOf(t.ada, '?state=active')).toEqual(['mine']);
    expect(await t.namesOf(t.ada, '?usageDays=1')).toEqual(['mine']);
    expect(await t.namesOf(t.ada, `?before=${t.otherKey.id}`)).toEqual(['mine']);
  });

  test('are found by the SHA-256 of the key, with the rights of the caller, even if they are revoked', async () => {
    await using t = await setUp();
    const sha256 = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex');
    const [mine, other] = [sha256(t.key.key), sha256(t.otherKey.key)];
    await t.hub.admin.issueKey({ hubId: t.hubId, name: 'newer' });
    expect(await t.namesOf(t.ada, `?sha256=${mine}`)).toEqual(['mine']);
    expect(await t.namesOf(t.ada, `?sha256=${other}`)).toEqual([]);
    expect(await t.namesOf(t.admin, `?sha256=${other}`)).toEqual(['other']);
    expect(await t.namesOf(t.admin, `?sha256=${sha256('unknown')}`)).toEqual([]);
    expect(await t.namesOf(t.admin, `?sha256=${mine}&hubId=${t.otherId}`)).toEqual([]);
    await t.hub.admin.revokeKey(t.key.id);
    expect(await t.namesOf(t.ada, `?sha256=${mine}`)).toEqual(['mine']);
    expect(await t.namesOf(t.ada, `?sha256=${mine}&state=active`)).toEqual([]);
    expect(await t.namesOf(t.ada, `?sha256=${mine}&before=${t.key.id}`)).toEqual([]);
    for (const invalid of ['', 'abc', t.key.key]) {
      const { status, body } = await t.ada.json<Rejected>('GET', `/keys?sha256=${invalid}`);
      expect([status, body.message]).toEqual([400, 'sha256 must be 64 hexadecimal digits in lower case']);
    }
    await t.restrictToAdmins();
    expect((await t.ada.json('GET', `/keys?sha256=${mine}`)).status).toBe(403);
  });

  test('become inaccessible to members as soon as they are removed', async () => {
    await using t = await setUp();
    await t.admin.json('DELETE', `/hubs/${t.hubId}/members/${t.ada.user.id}`);
    expect(await t.namesOf(t.ada)).toEqual([]);
    expect((await t.ada.json('GET', `/keys/${t.key.id}`)).status).toBe(404);
    expect((await t.issue(t.ada)).status).toBe(404);
  });

  test('are inaccessible to members while the Hub is deleted, and accessible again once it is restored', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.hubId);
    expect(await t.namesOf(t.ada)).toEqual([]);
    expect((await t.ada.json('POST', `/keys/${t.key.id}/revocation`)).status).toBe(404);
    expect((await t.issue(t.ada)).status).toBe(404);
    expect((await t.admin.json('GET', `/keys/${t.key.id}`)).body).toMatchObject({ isHubDeleted: true });
    await t.hub.admin.restoreHub(t.hubId);
    expect((await t.admin.json('GET', `/keys/${t.key.id}`)).body).toMatchObject({ isHubDeleted: false });
    expect(await t.namesOf(t.ada)).toEqual(['mine']);
  });

  test('return 401 without a credential and with an API key', async () => {
    await using t = await setUp();
    for (const headers of [{}, { authorization: `Bearer ${t.key.key}` }] as Record<string, string>[]) {
      for (const path of ['/keys', `/keys/${t.key.id}`, `/keys/${t.key.id}/usage`]) {
        expect((await t.hub.fetch(`/api/v1${path}`, { headers })).status).toBe(401);
      }
    }
  });
});

describe('a workspace that restricts keys to admins', () => {
  test('returns 403 with that reason to members and allows admins to do everything', async () => {
    await using t = await setUp();
    await t.restrictToAdmins();
    const rejected = [403, 'In this workspace, only admins can manage keys. Ask an admin.'];
    for (const [method, path] of OPERATIONS) {
      const { status, body } = await t.ada.json<Rejected>(method, `/keys/${t.key.id}${path}`);
      expect([status, body.message]).toEqual(rejected as [number, string]);
    }
    const [list, issued] = [await t.ada.json<Rejected>('GET', '/keys'), await t.issue(t.ada)];
    for (const { status, body } of [list, issued]) expect([status, body.message]).toEqual(rejected as [number, string]);
    expect(await t.namesOf(t.admin)).toEqual(['other', 'mine']);
    expect((await t.issue(t.admin)).status).toBe(201);
    expect(await t.hub.admin.showKey(t.key.id)).toMatchObject({ state: 'active' });
  });

  test("returns 404 for another Hub's key, as without the restriction", async () => {
    await using t = await setUp();
    await t.restrictToAdmins();
    for (const [method, path] of OPERATIONS) {
      expect((await t.otto.json(method, `/keys/${t.key.id}${path}`)).status).toBe(404);
    }
    expect((await t.issue(t.otto)).status).toBe(404);
  });
});

describe('the actor of a key action', () => {
  test('is in the audit log with time and address for each issue, rotation, replacement and revocation', async () => {
    await using t = await setUp();
    t.hub.setClientAddress('198.51.100.7');
    const { id } = (await t.issue(t.ada)).body;
    const rotated = (await t.ada.json<IssuedKey>('POST', `/keys/${id}/rotation`)).body;
    const replaced = (await t.admin.json<IssuedKey>('POST', `/keys/${rotated.id}/replacement`)).body;
    await t.ada.json('POST', `/keys/${replaced.id}/revocation`);
    const { items } = await t.hub.admin.audit(`?hubId=${t.hubId}&limit=4`);
    const actorOf = ({ user: { id: userId, name } }: UserCaller) => ({ kind: 'user' as const, id: userId, name });
    const [at, address] = ['2026-03-01T09:30:00.000Z', '198.51.100.7'];
    expect(items).toMatchObject([
      { action: 'key.revoked', actor: actorOf(t.ada), targetId: replaced.id, at, address, details: {} },
      { action: 'key.replaced', actor: actorOf(t.admin), targetId: rotated.id, at, address },
      { action: 'key.rotated', actor: actorOf(t.ada), targetId: id, at, address },
      { action: 'key.issued', actor: actorOf(t.ada), targetId: id, at, address },
    ]);
    await t.ada.json('POST', `/keys/${id}/revocation`);
    expect((await t.hub.admin.audit(`?targetId=${id}&limit=1`)).items).toMatchObject([
      { action: 'key.revoked', details: { successorId: rotated.id } },
    ]);
    expect((await t.hub.admin.showKey(id)).createdBy).toEqual(actorOf(t.ada));
    expect((await t.hub.admin.showKey(replaced.id)).createdBy).toEqual(actorOf(t.admin));
  });
});

describe('a key of a disabled issuer', () => {
  test('keeps working, and is flagged while the account is disabled', async () => {
    await using t = await setUp();
    const { id, key, isIssuerGone } = (await t.issue(t.ada)).body;
    const flagOf = async (keyId: string) => (await t.hub.admin.showKey(keyId)).isIssuerGone;
    expect([isIssuerGone, await flagOf(id)]).toEqual([false, false]);
    const set = (verb: 'deactivation' | 'reactivation') => t.hub.admin.raw('POST', `/users/${t.ada.user.id}/${verb}`);
    expect((await set('deactivation')).status).toBe(200);
    expect((await post(t.hub, 'messages', key, { text: 'x' })).status).toBe(201);
    expect(await flagOf(id)).toBe(true);
    expect(await flagOf(t.key.id)).toBe(false);
    const { items } = await t.hub.admin.listKeys(`?hubId=${t.hubId}`);
    expect(items.map(({ name, isIssuerGone: gone }) => [name, gone])).toEqual([
      ['ci', true],
      ['mine', false],
    ]);
    // The admin who rotated the key is the issuer of its successor.
    const next = (await t.admin.json<IssuedKey>('POST', `/keys/${id}/rotation`)).body;
    expect(next.isIssuerGone).toBe(false);
    expect((await set('reactivation')).status).toBe(200);
    expect(await flagOf(id)).toBe(false);
  });
});
