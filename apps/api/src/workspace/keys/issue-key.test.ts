import { describe, expect, test } from 'bun:test';
import { ALL_SCOPES, type ApiKey, type IssuedKey } from '@hub/contract';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

const DAY_SECONDS = 86_400;

describe('issuing a key', () => {
  test('returns the key once; it is never shown again', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const response = await hub.admin.raw('POST', '/keys', { hubId, name: 'ci', scopes: ALL_SCOPES });
    expect(response.status).toBe(201);
    const { key, ...shown } = (await response.json()) as { key: string; id: string };
    expect(key).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
    expect((await post(hub, 'messages', key, { text: 'hello' })).status).toBe(201);

    const responses = [
      await (await hub.admin.raw('GET', `/keys/${shown.id}`)).text(),
      await (await hub.admin.raw('GET', '/keys')).text(),
      await (await hub.admin.raw('GET', '/audit')).text(),
      await (await hub.admin.raw('POST', `/keys/${shown.id}/revocation`)).text(),
    ].join('\n');
    expect(responses).toContain(shown.id);
    expect(responses).not.toContain(key.slice(9, 43));
    expect(responses).not.toContain('"key":');
  });

  test('accepts a name of 1 to 64 characters', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issue = async (name: unknown) =>
      (await hub.admin.raw('POST', '/keys', { hubId, name, scopes: ['notes:create'] })).status;
    expect(await issue('x')).toBe(201);
    expect(await issue('🔑'.repeat(64))).toBe(201);
    for (const name of ['', '   ', null, undefined, 7, 'x'.repeat(65)]) expect(await issue(name)).toBe(400);
  });

  test('records who issued it and when', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub('Releases');
    const { id } = await hub.admin.issueKey({ hubId, name: 'canary-watch' });
    expect(await hub.admin.showKey(id)).toMatchObject({
      name: 'canary-watch',
      hubId,
      hubName: 'Releases',
      createdAt: '2026-03-01T09:30:00.000Z',
      createdBy: { kind: 'local', id: null, name: 'local admin' },
      state: 'active',
      generation: 1,
      predecessorId: null,
      successorId: null,
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      requestCount: 0,
      postCount: 0,
    });
  });

  test('accepts any non-empty set of the three scopes and shows them in a fixed order', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const sets = [1, 2, 3, 4, 5, 6, 7].map((bits) => ALL_SCOPES.filter((_, index) => bits & (1 << index)));
    for (const scopes of sets) {
      const issued = await hub.admin.issueKey({ hubId, scopes: [...scopes].reverse() });
      expect(issued.scopes).toEqual(scopes);
    }
  });

  test('returns 400 for no scope, an unknown scope and a duplicate scope', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issue = async (scopes: unknown) => {
      const response = await hub.admin.raw('POST', '/keys', { hubId, name: 'ci', scopes });
      const { message } = (await response.json()) as { message: string };
      return `${response.status} ${message}`;
    };
    expect(await issue([])).toMatch(/^400 scopes is required/);
    expect(await issue(undefined)).toMatch(/^400 scopes is required/);
    expect(await issue('messages:create')).toMatch(/^400 scopes must be a list/);
    expect(await issue(['messages:read'])).toMatch(/^400 scopes\[0\] must be one of messages:create/);
    expect(await issue(['notes:create', 'notes:create'])).toMatch(/^400 scopes lists a scope twice/);
  });

  test('accepts an expiry as a time or a lifetime, but not both', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issue = (expiry: object) => hub.admin.issueKey({ hubId, ...expiry });
    expect((await issue({ expiresAt: '2026-03-02T10:30+01:00' })).expiresAt).toBe('2026-03-02T09:30:00.000Z');
    expect((await issue({ lifetimeSeconds: 90 * DAY_SECONDS })).expiresAt).toBe('2026-05-30T09:30:00.000Z');
    expect((await issue({})).expiresAt).toBeNull();
    await expect(issue({ expiresAt: '2027-01-01T00:00Z', lifetimeSeconds: 60 })).rejects.toThrow('400');
  });

  test('returns 400 for an expiry that is now, in the past, malformed or more than a hundred years away', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issue = async (expiry: object) =>
      (await hub.admin.raw('POST', '/keys', { hubId, name: 'ci', scopes: ['notes:create'], ...expiry })).status;
    expect(await issue({ expiresAt: '2026-03-01T09:30:00.000Z' })).toBe(400);
    expect(await issue({ expiresAt: '2026-03-01T09:30:00.001Z' })).toBe(201);
    for (const expiresAt of ['2020-01-01T00:00Z', '2027-01-01', 'soon', 5])
      expect(await issue({ expiresAt })).toBe(400);
    for (const lifetimeSeconds of [0, -1, 1.5, '60', 3_155_760_001]) {
      expect(await issue({ lifetimeSeconds })).toBe(400);
    }
    // The year 9999 itself could be represented, but not the expiry after a rotation.
    expect(await issue({ expiresAt: '9999-12-31T23:59:59Z' })).toBe(400);
    expect(await issue({ expiresAt: '2126-03-02T09:30:00.001Z' })).toBe(400);
    expect(await issue({ expiresAt: '2126-03-02T09:30:00.000Z' })).toBe(201);
    expect(await issue({ lifetimeSeconds: 3_155_760_000 })).toBe(201);
  });

  test('needs a Hub that exists and is not deleted', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    await hub.admin.deleteHub(hubId);
    const issue = async (id: string) => {
      const response = await hub.admin.raw('POST', '/keys', { hubId: id, name: 'ci', scopes: ['notes:create'] });
      return `${response.status} ${((await response.json()) as { message: string }).message}`;
    };
    expect(await issue('hub_unknown')).toBe('404 There is no Hub hub_unknown.');
    expect(await issue(hubId)).toMatch(/^404 The Hub hub_\w+ was deleted\. Restore it/);
    expect((await hub.admin.listKeys()).items).toEqual([]);
  });

  test('binds the key to its Hub permanently', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const other = await hub.admin.createHub('Other');
    const { id } = await hub.admin.issueKey({ hubId });
    for (const method of ['PATCH', 'PUT']) {
      expect((await hub.admin.raw(method, `/keys/${id}`, { hubId: other.id })).status).toBe(405);
    }
    expect((await hub.admin.raw('POST', `/keys/${id}/rotation`, { hubId: other.id })).status).toBe(400);
    expect(await hub.admin.showKey(id)).toMatchObject({ hubId });
  });
});

describe('the list of keys', () => {
  test('is newest first and paginated, and can be filtered by Hub and by state', async () => {
    await using hub = await startTestHub();
    const a = await hub.admin.createHub('A');
    const b = await hub.admin.createHub('B');
    const keys = [];
    for (const { id } of [a, b, a, b, a]) keys.push(await hub.admin.issueKey({ hubId: id }));
    const [k1, k2, k3, k4, k5] = keys.map(({ id }) => id);
    const ids = async (query: string) => (await hub.admin.listKeys(query)).items.map(({ id }) => id);
    expect(await ids('')).toEqual([k5, k4, k3, k2, k1] as string[]);
    const first = await hub.admin.listKeys('?limit=2');
    expect(first.items.map(({ id }) => id)).toEqual([k5, k4] as string[]);
    expect(await ids(`?limit=2&before=${first.next}`)).toEqual([k3, k2] as string[]);
    expect((await hub.admin.listKeys(`?limit=2&before=${k2}`)).next).toBeNull();
    expect(await ids(`?hubId=${b.id}`)).toEqual([k4, k2] as string[]);
    await hub.admin.revokeKey(k3 as string);
    expect(await ids('?state=revoked')).toEqual([k3] as string[]);
    expect(await ids(`?state=active&hubId=${a.id}`)).toEqual([k5, k1] as string[]);
    expect((await hub.admin.raw('GET', '/keys?state=lost')).status).toBe(400);
  });
});

describe('a maximum lifetime', () => {
  const DAY_SECONDS = 86_400;

  /** Sets up a workspace with a 90-day limit, and two older keys: one that never expires and one for 30 days. */
  async function setUp() {
    const hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const unlimited = await hub.admin.issueKey({ hubId, name: 'unlimited' });
    const oneMonth = await hub.admin.issueKey({ hubId, name: 'month', lifetimeSeconds: 30 * DAY_SECONDS });
    const allow = (days: unknown) => hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: days });
    expect((await allow(90)).status).toBe(200);
    const outcome = async (path: string, body: object = {}) => {
      const response = await hub.admin.raw('POST', path, body);
      const { message, expiresAt } = (await response.json()) as { message?: string; expiresAt?: string | null };
      return `${response.status} ${message ?? expiresAt}`;
    };
    const issue = (expiry: object) => outcome('/keys', { hubId, name: 'ci', scopes: ['messages:create'], ...expiry });
    const dispose = () => hub[Symbol.asyncDispose]();
    return { hub, hubId, unlimited, oneMonth, allow, outcome, issue, [Symbol.asyncDispose]: dispose };
  }

  const ERROR =
    'but keys in this workspace can last at most 90 days: set expiresAt to 2026-05-30T09:30:00.000Z or earlier, or lifetimeSeconds to 90 days or less.';

  describe('the maximum key lifetime of a workspace', () => {
    test('limits the lifetime of new keys to the exact second', async () => {
      await using t = await setUp();
      expect(await t.issue({})).toBe(`400 This key would never expire, ${ERROR}`);
      expect(await t.issue({ lifetimeSeconds: 90 * DAY_SECONDS + 1 })).toBe(
        `400 This key would work until 2026-05-30T09:30:01.000Z, ${ERROR}`,
      );
      expect(await t.issue({ expiresAt: '2026-05-30T09:30:00.001Z' })).toStartWith('400 This key would work until');
      expect(await t.issue({ lifetimeSeconds: 90 * DAY_SECONDS })).toBe('201 2026-05-30T09:30:00.000Z');
      expect(await t.issue({ expiresAt: '2026-05-30T09:30:00Z' })).toBe('201 2026-05-30T09:30:00.000Z');
    });

    test.each(['rotation', 'replacement'])(
      'applies to a %s, even if the lifetime comes from the predecessor',
      async (verb) => {
        await using t = await setUp();
        const at = `/keys/${t.unlimited.id}/${verb}`;
        expect(await t.outcome(at)).toBe(`400 This key would never expire, ${ERROR}`);
        expect(await t.outcome(at, { lifetimeSeconds: 365 * DAY_SECONDS })).toStartWith(
          '400 This key would work until',
        );
        expect((await t.hub.admin.showKey(t.unlimited.id)).state).toBe('active');
        expect(await t.outcome(at, { lifetimeSeconds: DAY_SECONDS })).toBe('201 2026-03-02T09:30:00.000Z');
        expect(await t.outcome(`/keys/${t.oneMonth.id}/${verb}`)).toBe('201 2026-03-31T09:30:00.000Z');
      },
    );

    test('does not change existing keys, and no longer applies once it is removed', async () => {
      await using t = await setUp();
      expect((await post(t.hub, 'messages', t.unlimited.key, { text: 'x' })).status).toBe(201);
      expect((await t.hub.admin.showKey(t.unlimited.id)).expiresAt).toBeNull();
      expect((await t.allow(null)).status).toBe(200);
      expect(await t.issue({})).toBe('201 null');
    });
  });
});

describe('rights to keys', () => {
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
      for (const { status, body } of [list, issued])
        expect([status, body.message]).toEqual(rejected as [number, string]);
      expect(await t.namesOf(t.admin)).toEqual(['other', 'mine']);
      expect((await t.issue(t.admin)).status).toBe(201);
      expect(await t.hub.admin.showKey(t.key.id)).toMatchObject({ state: 'active' });
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
});
