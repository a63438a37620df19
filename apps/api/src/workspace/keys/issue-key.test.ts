import { describe, expect, test } from 'bun:test';
import { ALL_SCOPES } from '@hub/contract';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { newKey } from '@hub/testkit/storage/store-records';
import { insertKey } from '@hub/testkit/storage/store-writes';

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

  test('shows the prefix and the last four characters in lists', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId });
    const { items } = await hub.admin.listKeys();
    expect(items.map(({ hint }) => hint)).toEqual([`hub_live_…${key.slice(-4)}`]);
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

  test('accepts a name of 1 to 64 characters', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issue = async (name: unknown) =>
      (await hub.admin.raw('POST', '/keys', { hubId, name, scopes: ['notes:create'] })).status;
    expect(await issue('x')).toBe(201);
    expect(await issue('🔑'.repeat(64))).toBe(201);
    for (const name of ['', '   ', null, undefined, 7, 'x'.repeat(65)]) expect(await issue(name)).toBe(400);
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

  test('accepts a name on one line and trims the white space around it', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    for (const name of ['ci\n', 'c\u001bi', '\u202eci']) {
      const result = await hub.admin.raw('POST', '/keys', { hubId, name, scopes: ['notes:create'] });
      expect(result.status).toBe(400);
      expect(await result.text()).toContain('name cannot contain control characters');
    }
    expect((await hub.admin.issueKey({ hubId, name: '  canary watch ' })).name).toBe('canary watch');
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

  test('returns 401 without credentials and with an API key', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const { id, key } = await hub.admin.issueKey({ hubId });
    for (const [method, path] of [
      ['POST', '/keys'],
      ['GET', '/keys'],
      ['GET', `/keys/${id}`],
      ['POST', `/keys/${id}/rotation`],
      ['POST', `/keys/${id}/replacement`],
      ['POST', `/keys/${id}/revocation`],
      ['GET', '/audit'],
    ] as const) {
      const response = await hub.fetch(`/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } });
      expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 401`);
    }
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

  test('filtered by state has no gaps between pages, however rare the state is', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issued = await Promise.all(Array.from({ length: 2_200 }, () => insertKey(hub.store, newKey(hubId))));
    const revoked = [0, 1, 2, 550, 2_199].map((index) => issued[index]?.id as string);
    for (const id of revoked) await hub.admin.revokeKey(id);
    const found: string[] = [];
    let before = '';
    do {
      const page = await hub.admin.listKeys(`?state=revoked&limit=2${before}`);
      found.push(...page.items.map(({ id }) => id));
      before = page.next === null ? '' : `&before=${page.next}`;
    } while (before !== '');
    expect(found).toEqual([...revoked].sort().reverse());
  });

  test('returns a short page with a cursor for a rare state, in bounded time', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issued = await Promise.all(Array.from({ length: 1_050 }, () => insertKey(hub.store, newKey(hubId))));
    const oldest = issued.map(({ id }) => id).sort()[0] as string;
    await hub.admin.revokeKey(oldest);
    const first = await hub.admin.listKeys('?state=revoked');
    expect(first.items).toEqual([]);
    expect(first.next).not.toBeNull();
    const second = await hub.admin.listKeys(`?state=revoked&before=${first.next}`);
    expect(second.items.map(({ id }) => id)).toEqual([oldest]);
    expect(second.next).toBeNull();
  });
});
