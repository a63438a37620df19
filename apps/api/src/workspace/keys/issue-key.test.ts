import { beforeAll, describe, expect, test } from 'bun:test';
import { ALL_SCOPES, type ApiKey, type IssuedKey, type Item, type ItemOrigin } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { createdOf } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

const DAY_SECONDS = 86_400;

describe('issuing a key', () => {
  const hub = shared(startTestHub);
  let hubId: string;
  let deletedId: string;
  beforeAll(async () => {
    ({ id: hubId } = await hub.admin.createHub('Releases'));
    ({ id: deletedId } = await hub.admin.createHub());
    await hub.admin.deleteHub(deletedId);
  });
  const issue = (fields: object) =>
    hub.admin.json<IssuedKey & { message: string }>('POST', '/keys', {
      ...{ hubId, name: 'ci', scopes: ['notes:create'] },
      ...fields,
    });

  test('returns the key once, and records who issued it and when', async () => {
    const { status, body } = await issue({ name: 'canary-watch', scopes: ALL_SCOPES });
    const { key, ...shown } = body;
    expect([status, key]).toEqual([201, expect.stringMatching(/^hub_live_[0-9A-Za-z]{40}$/)]);
    expect(shown).toMatchObject({
      ...{ name: 'canary-watch', hubId, hubName: 'Releases', scopes: [...ALL_SCOPES], state: 'active' },
      ...{ createdAt: '2026-03-01T09:30:00.000Z', createdBy: { kind: 'local', id: null, name: 'local admin' } },
      ...{ generation: 1, predecessorId: null, successorId: null, expiresAt: null },
      ...{ lastUsedAt: null, lastUsedAddress: null, requestCount: 0, postCount: 0 },
    });
    for (const [method, path] of [
      ['GET', `/keys/${shown.id}`],
      ['GET', '/keys'],
      ['POST', `/keys/${shown.id}/revocation`],
    ] as const) {
      const text = await (await hub.admin.raw(method, path)).text();
      expect(text).toContain(shown.id);
      expect(text).not.toContain(key.slice(9, 43));
      expect(text).not.toContain('"key":');
    }
  });

  test('has a name, a description and a link, which can be changed or removed, and which its posts and successors show', async () => {
    const { body: issued } = await issue({ name: 'before', description: ' Builds ', link: 'https://example.org/ci' });
    const reader = await memberOf(hub, hubId);
    const shown = async () => {
      const { data } = await createdOf(await post(hub, 'notes', issued.key, { content: 'x' }));
      const { keyDescription, keyLink } = await reader.call<ItemOrigin>('GET', `/items/${data.id}/origin`);
      return [(await reader.call<Item>('GET', `/items/${data.id}`)).key?.name, keyDescription, keyLink];
    };
    expect(await shown()).toEqual(['before', 'Builds', 'https://example.org/ci']);
    const change = async (fields: object) =>
      (await hub.admin.json<ApiKey>('PATCH', `/keys/${issued.id}`, fields)).status;
    expect(await change({ name: ' after ' })).toBe(200);
    expect(await shown()).toEqual(['after', 'Builds', 'https://example.org/ci']);
    expect([await change({ description: 'Tests' }), await change({ link: '  ' })]).toEqual([200, 200]);
    expect(await shown()).toEqual(['after', 'Tests', null]);
    expect(await hub.admin.rotateKey(issued.id)).toMatchObject({ name: 'after', description: 'Tests', link: null });
    for (const wrong of [{ link: 'ftp://example.org' }, { scopes: [] }, { name: '' }, { name: 'x'.repeat(65) }])
      expect([wrong, await change(wrong)]).toEqual([wrong, 400]);
    expect(await change({ description: null })).toBe(200);
    expect(await shown()).toEqual(['after', null, null]);
  });

  test('accepts any non-empty set of the three scopes and shows them in a fixed order', async () => {
    for (let bits = 1; bits < 8; bits += 1) {
      const scopes = ALL_SCOPES.filter((_, index) => bits & (1 << index));
      expect((await issue({ scopes: scopes.toReversed() })).body.scopes).toEqual(scopes);
    }
  });

  const [ok, expiresAt] = ['201', '400 expiresAt '];
  const rejected = (field: string, values: unknown[]) =>
    values.map((value): [object, string] => [{ [field]: value }, `400 ${field} `]);
  test.each<[fields: object, outcome: string]>([
    [{ name: 'x' }, ok],
    [{ name: '🔑'.repeat(64) }, ok],
    ...rejected('name', ['', '   ', null, undefined, 7, 'x'.repeat(65)]),
    [{ scopes: [] }, '400 scopes is required'],
    [{ scopes: undefined }, '400 scopes is required'],
    [{ scopes: 'messages:create' }, '400 scopes must be a list'],
    [{ scopes: ['messages:read'] }, '400 scopes[0] must be one of messages:create'],
    [{ scopes: ['notes:create', 'notes:create'] }, '400 scopes lists a scope twice'],
    ...rejected('description', ['x'.repeat(201), 'two\nlines', 7]),
    ...rejected('link', ['javascript:alert(1)', 'example.org/ci', `https://example.org/${'x'.repeat(2_000)}`]),
    [{ hubId: 'hub_unknown' }, '404 There is no Hub hub_unknown.'],
    [{ expiresAt: '2026-03-01T09:30:00.000Z' }, expiresAt],
    [{ expiresAt: '2026-03-01T09:30:00.001Z' }, ok],
    ...rejected('expiresAt', ['2020-01-01T00:00Z', '2027-01-01', 'soon', 5]),
    ...rejected('lifetimeSeconds', [0, -1, 1.5, '60', 3_155_760_001]),
    [{ lifetimeSeconds: 3_155_760_000 }, ok],
    // The year 9999 itself could be represented, but not the expiry after a rotation.
    [{ expiresAt: '9999-12-31T23:59:59Z' }, expiresAt],
    [{ expiresAt: '2126-03-02T09:30:00.001Z' }, expiresAt],
    [{ expiresAt: '2126-03-02T09:30:00.000Z' }, ok],
    [{ expiresAt: '2027-01-01T00:00Z', lifetimeSeconds: 60 }, '400 '],
    [{ expiresAt: '2026-03-02T10:30+01:00' }, '201 2026-03-02T09:30:00.000Z'],
    [{ lifetimeSeconds: 90 * DAY_SECONDS }, '201 2026-05-30T09:30:00.000Z'],
  ])('with %j returns %s', async (fields, outcome) => {
    const response = await issue(fields);
    expect(`${outcomeOf(response)} ${response.body.expiresAt}`).toStartWith(outcome);
  });

  test('needs a Hub that is not deleted, and binds the key to it permanently', async () => {
    expect(outcomeOf(await issue({ hubId: deletedId }))).toMatch(/^404 The Hub hub_\w+ was deleted\. Restore it/);
    expect((await hub.admin.listKeys(`?hubId=${deletedId}`)).items).toEqual([]);
    const { id } = (await issue({})).body;
    const body = { hubId: (await hub.admin.createHub()).id };
    expect((await hub.admin.raw('PATCH', `/keys/${id}`, body)).status).toBe(400);
    expect((await hub.admin.raw('POST', `/keys/${id}/rotation`, body)).status).toBe(400);
  });
});

test('the list of keys is newest first and paginated, and can be filtered by Hub and by state', async () => {
  await using hub = await startTestHub();
  const [a, b] = [await hub.admin.createHub('A'), await hub.admin.createHub('B')];
  const issued: string[] = [];
  for (const { id: hubId } of [a, b, a, b, a]) issued.unshift((await hub.admin.issueKey({ hubId })).id);
  const list = async (query: string) => {
    const { items, next } = await hub.admin.listKeys(query);
    return { positions: items.map(({ id }) => issued.indexOf(id)), next };
  };
  await hub.admin.revokeKey(issued[2] ?? '');
  const { next } = await list('?limit=2');
  for (const [query, positions] of [
    ['', [0, 1, 2, 3, 4]],
    ['?limit=2', [0, 1]],
    [`?limit=2&before=${next}`, [2, 3]],
    [`?hubId=${b.id}`, [1, 3]],
    ['?state=revoked', [2]],
    [`?state=active&hubId=${a.id}`, [0, 4]],
  ] as const) {
    expect([query, (await list(query)).positions]).toEqual([query, [...positions]]);
  }
  expect((await list(`?limit=2&before=${issued[3]}`)).next).toBeNull();
  expect((await hub.admin.raw('GET', '/keys?state=lost')).status).toBe(400);
});

describe('a maximum lifetime of 90 days', () => {
  const hub = shared(startTestHub);
  let hubId: string;
  const allow = (days: unknown) => hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: days });
  beforeAll(async () => {
    ({ id: hubId } = await hub.admin.createHub());
  });
  const outcome = async (path: string, body: object = {}) => {
    const response = await hub.admin.json<IssuedKey & { message: string }>('POST', path, body);
    return response.status === 201 ? `201 ${response.body.expiresAt}` : `${response.status} ${response.body.message}`;
  };
  const issue = (expiry: object) => outcome('/keys', { hubId, name: 'ci', scopes: ['messages:create'], ...expiry });
  const ERROR =
    'but keys in this workspace can last at most 90 days: set expiresAt to 2026-05-30T09:30:00.000Z or earlier, or lifetimeSeconds to 90 days or less.';

  test.each<[expiry: object, outcome: string]>([
    [{}, `400 This key would never expire, ${ERROR}`],
    [{ lifetimeSeconds: 90 * DAY_SECONDS + 1 }, `400 This key would work until 2026-05-30T09:30:01.000Z, ${ERROR}`],
    [{ expiresAt: '2026-05-30T09:30:00.001Z' }, '400 This key would work until'],
    [{ lifetimeSeconds: 90 * DAY_SECONDS }, '201 2026-05-30T09:30:00.000Z'],
    [{ expiresAt: '2026-05-30T09:30:00Z' }, '201 2026-05-30T09:30:00.000Z'],
  ])('limits a new key to the exact second: with %j', async (expiry, expected) => {
    await allow(90);
    expect(await issue(expiry)).toStartWith(expected);
  });

  test.each(['rotation', 'replacement'])(
    'applies to a %s, even if the lifetime comes from the predecessor, but not to existing keys or once it is removed',
    async (verb) => {
      await allow(null);
      const unlimited = await hub.admin.issueKey({ hubId });
      const oneMonth = await hub.admin.issueKey({ hubId, lifetimeSeconds: 30 * DAY_SECONDS });
      await allow(90);
      const at = `/keys/${unlimited.id}/${verb}`;
      expect(await outcome(at)).toBe(`400 This key would never expire, ${ERROR}`);
      expect(await outcome(at, { lifetimeSeconds: 365 * DAY_SECONDS })).toStartWith('400 This key would work until');
      expect((await post(hub, 'messages', unlimited.key, { text: 'x' })).status).toBe(201);
      expect(await hub.admin.showKey(unlimited.id)).toMatchObject({ state: 'active', expiresAt: null });
      expect(await outcome(at, { lifetimeSeconds: DAY_SECONDS })).toBe('201 2026-03-02T09:30:00.000Z');
      expect(await outcome(`/keys/${oneMonth.id}/${verb}`)).toBe('201 2026-03-31T09:30:00.000Z');
      await allow(null);
      expect(await issue({})).toBe('201 null');
    },
  );
});

describe('rights to keys', () => {
  const hub = shared(startTestHub);
  let [hubId, otherId] = ['', ''];
  let ada: UserCaller;
  /** A member of neither Hub. */
  let admin: UserCaller;
  beforeAll(async () => {
    for (const name of ['Mine', 'Other']) [hubId, otherId] = [otherId, (await hub.admin.createHub(name)).id];
    ada = await memberOf(hub, hubId, { name: 'Ada' });
    admin = await signedIn(hub, { role: 'admin', name: 'Grace' });
  });
  const issue = (caller: UserCaller, of = hubId) =>
    caller.json<IssuedKey & { message: string }>('POST', '/keys', { hubId: of, name: 'ci', scopes: ALL_SCOPES });
  const allowMembers = (membersManageKeys: boolean) => hub.admin.raw('PATCH', '/workspace', { membersManageKeys });

  test('the keys of a Hub are managed by its members, and by admins even if they do not belong to it', async () => {
    for (const [caller, of] of [
      [ada, hubId],
      [await tokenOf(hub, ada.user), hubId],
      [admin, hubId],
      [admin, otherId],
    ] as const) {
      const { status, body } = await issue(caller, of);
      const statuses = [status];
      for (const path of ['', '/usage']) statuses.push((await caller.json('GET', `/keys/${body.id}${path}`)).status);
      for (const verb of ['rotation', 'replacement', 'revocation'])
        statuses.push((await caller.json('POST', `/keys/${body.id}/${verb}`)).status);
      expect(statuses).toEqual([201, 200, 200, 201, 409, 200]);
    }
    expect(outcomeOf(await issue(ada, otherId))).toBe(`404 There is no Hub ${otherId}.`);
    const hubsOf = async ({ request }: UserCaller) =>
      new Set((await request('GET /keys')).items.map((key) => key.hubId));
    expect([await hubsOf(ada), await hubsOf(admin)]).toEqual([new Set([hubId]), new Set([otherId, hubId])]);
  });

  test('a workspace can restrict them to admins: members get 403 with that reason', async () => {
    const { id } = await hub.admin.issueKey({ hubId });
    await allowMembers(false);
    const error = '403 In this workspace, only admins can manage keys. Ask an admin.';
    // Writes are shown in `lost-rights.test.ts`.
    for (const path of ['/keys', `/keys/${id}`, `/keys/${id}/usage`])
      expect(await ada.outcome('GET', path)).toBe(error);
    expect((await issue(admin)).status).toBe(201);
    await allowMembers(true);
  });

  test('a key outlives the account of its issuer, and is flagged while the account is disabled', async () => {
    const { id, key, isIssuerGone } = (await issue(ada)).body;
    const other = await hub.admin.issueKey({ hubId });
    const flagOf = async (keyId: string) => (await hub.admin.showKey(keyId)).isIssuerGone;
    expect([isIssuerGone, await flagOf(id)]).toEqual([false, false]);
    const set = (verb: 'deactivation' | 'reactivation') => hub.admin.raw('POST', `/users/${ada.user.id}/${verb}`);
    await set('deactivation');
    expect((await post(hub, 'messages', key, { text: 'x' })).status).toBe(201);
    expect([await flagOf(id), await flagOf(other.id)]).toEqual([true, false]);
    const { items } = await hub.admin.listKeys(`?hubId=${hubId}&limit=2`);
    expect(items.map(({ isIssuerGone: gone }) => gone)).toEqual([false, true]);
    // The admin who rotated the key is the issuer of its successor.
    const next = (await admin.json<IssuedKey>('POST', `/keys/${id}/rotation`)).body;
    expect(next.isIssuerGone).toBe(false);
    await set('reactivation');
    expect(await flagOf(id)).toBe(false);
  });
});
