import { describe, expect, test } from 'bun:test';
import type { IssuedKey, IssueKeyBody } from '@hub/contract';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '@hub/testkit/storage/store-writes';
import { StoreUnavailable } from '../../platform/errors.ts';
import { flushKeys } from '../../programs/flush-keys.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function setUp(over: Partial<IssueKeyBody> = {}) {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const old = await hub.admin.issueKey({ hubId, name: 'canary-watch', scopes: ['messages:create'], ...over });
  const send = async ({ key }: Pick<IssuedKey, 'key'>) => (await post(hub, 'messages', key, { text: 'hello' })).status;
  const outcomeOf = async (path: string, body: unknown = {}) => {
    const response = await hub.admin.raw('POST', path, body);
    return `${response.status} ${((await response.json()) as { message: string }).message}`;
  };
  return { hub, hubId, old, send, outcomeOf, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('rotation', () => {
  test('creates a new active key with the same name, Hub and scopes, and links both', async () => {
    await using t = await setUp();
    const next = await t.hub.admin.rotateKey(t.old.id);
    expect(next).toMatchObject({
      name: 'canary-watch',
      hubId: t.hubId,
      scopes: ['messages:create'],
      state: 'active',
      generation: 2,
      predecessorId: t.old.id,
      successorId: null,
      expiresAt: null,
    });
    expect(next.key).not.toBe(t.old.key);
    expect(await t.send(next)).toBe(201);
    expect(await t.hub.admin.showKey(t.old.id)).toMatchObject({
      state: 'rotated',
      successorId: next.id,
      overlapEndsAt: '2026-03-02T09:30:00.000Z',
    });
  });

  test('keeps the old key valid for exactly 24 hours; then it gets 401', async () => {
    await using t = await setUp();
    await t.hub.admin.rotateKey(t.old.id);
    t.hub.clock.advance(DAY_MS - 1);
    expect(await t.send(t.old)).toBe(201);
    t.hub.clock.advance(1);
    expect(await t.send(t.old)).toBe(401);
    expect((await t.hub.admin.showKey(t.old.id)).state).toBe('expired');
  });

  test('keeps the old key valid only until its own earlier expiry', async () => {
    await using t = await setUp({ lifetimeSeconds: 3_600 });
    await t.hub.admin.rotateKey(t.old.id);
    expect((await t.hub.admin.showKey(t.old.id)).overlapEndsAt).toBe('2026-03-01T10:30:00.000Z');
    t.hub.clock.advance(HOUR_MS - 1);
    expect(await t.send(t.old)).toBe(201);
    t.hub.clock.advance(1);
    expect(await t.send(t.old)).toBe(401);
  });

  test('gives the new key the same lifetime, counted from now', async () => {
    await using t = await setUp({ lifetimeSeconds: 30 * 86_400 });
    t.hub.clock.advance(10 * DAY_MS);
    const next = await t.hub.admin.rotateKey(t.old.id);
    expect(next.expiresAt).toBe(new Date(t.hub.clock.now() + 30 * DAY_MS).toISOString());
    t.hub.clock.advance(29 * DAY_MS);
    const third = await t.hub.admin.rotateKey(next.id);
    expect(third.expiresAt).toBe(new Date(t.hub.clock.now() + 30 * DAY_MS).toISOString());
    expect(third.generation).toBe(3);
  });

  test('gives the new key the expiry in the body', async () => {
    await using t = await setUp({ lifetimeSeconds: 86_400 });
    const next = await t.hub.admin.rotateKey(t.old.id, { expiresAt: '2026-06-01T00:00:00Z' });
    expect(next.expiresAt).toBe('2026-06-01T00:00:00.000Z');
    const third = await t.hub.admin.rotateKey(next.id, { lifetimeSeconds: 60 });
    expect(third.expiresAt).toBe('2026-03-01T09:31:00.000Z');
    expect(await t.outcomeOf(`/keys/${third.id}/rotation`, { expiresAt: '2020-01-01T00:00Z' })).toStartWith('400 ');
    expect(await t.outcomeOf(`/keys/${third.id}/rotation`, { name: 'other' })).toStartWith('400 name is not a field');
  });

  test('of a rotated key returns 409 with the successor', async () => {
    await using t = await setUp();
    const next = await t.hub.admin.rotateKey(t.old.id);
    expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).toMatch(new RegExp(`^409 .*${next.id}`));
    expect(await t.outcomeOf(`/keys/${t.old.id}/replacement`)).toMatch(new RegExp(`^409 .*${next.id}`));
    expect(await t.hub.admin.rotateKey(next.id)).toMatchObject({ predecessorId: next.id });
  });

  test('of a revoked or expired key returns 409, and of an unknown key 404', async () => {
    await using t = await setUp({ lifetimeSeconds: 60 });
    const revoked = await t.hub.admin.issueKey({ hubId: t.hubId });
    await t.hub.admin.revokeKey(revoked.id);
    t.hub.clock.advance(60_000);
    expect(await t.outcomeOf(`/keys/${revoked.id}/rotation`)).toMatch(/^409 .*was revoked.*Issue a new key/);
    expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).toMatch(/^409 .*has expired.*Issue a new key/);
    expect(await t.outcomeOf('/keys/key_unknown/rotation')).toBe('404 There is no key key_unknown.');
  });

  test('of one key by many concurrent requests succeeds exactly once, and the others return 409 with the successor', async () => {
    await using t = await setUp();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        t.hub.admin.raw('POST', `/keys/${t.old.id}/${n % 2 === 0 ? 'rotation' : 'replacement'}`, {}),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    const { items } = await t.hub.admin.listKeys();
    expect(items).toHaveLength(2);
    for (const result of responses.filter(({ status }) => status !== 201)) {
      expect(result.status).toBe(409);
      expect(await result.text()).toContain(items[0]?.id as string);
    }
  });

  test('concurrent with a revocation leaves the key unusable, whichever comes first', async () => {
    await using t = await setUp();
    const [rotation] = await Promise.all([
      t.hub.admin.raw('POST', `/keys/${t.old.id}/rotation`, {}),
      t.hub.admin.revokeKey(t.old.id),
    ]);
    expect([201, 409]).toContain(rotation.status);
    expect(await t.send(t.old)).toBe(401);
  });
});

describe('replacement', () => {
  test('revokes the old key in the same step', async () => {
    await using t = await setUp({ lifetimeSeconds: 86_400 });
    const next = await t.hub.admin.replaceKey(t.old.id);
    expect(await t.send(t.old)).toBe(401);
    expect(await t.send(next)).toBe(201);
    expect(next).toMatchObject({ name: 'canary-watch', generation: 2, predecessorId: t.old.id });
    expect(next.expiresAt).toBe('2026-03-02T09:30:00.000Z');
    expect(await t.hub.admin.showKey(t.old.id)).toMatchObject({
      state: 'revoked',
      revokedAt: '2026-03-01T09:30:00.000Z',
      overlapEndsAt: null,
      successorId: next.id,
    });
  });
});

describe('a blocked key', () => {
  for (const how of ['rotation', 'replacement'] as const) {
    test(`can be superseded by ${how}, and the successor starts with an empty window`, async () => {
      await using t = await setUp();
      for (let n = 0; n < 61; n += 1) await t.send(t.old);
      expect((await t.hub.admin.showKey(t.old.id)).state).toBe('blocked');
      const next = await (how === 'rotation' ? t.hub.admin.rotateKey(t.old.id) : t.hub.admin.replaceKey(t.old.id));
      expect(next).toMatchObject({ state: 'active', blockedUntil: null });
      const response = await post(t.hub, 'messages', next.key, { text: 'x' });
      expect([response.status, response.headers.get('ratelimit')]).toEqual([201, '"default";r=59;t=60']);
      // The old key stays blocked after a rotation, and is revoked after a replacement.
      expect(await t.send(t.old)).toBe(how === 'rotation' ? 403 : 401);
    });
  }
});

describe('revoking a key', () => {
  async function setUp() {
    const hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const { key, id } = await hub.admin.issueKey({ hubId });
    return { hub, key, id, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
  }

  describe('revocation', () => {
    test('rejects every request that begins after its response, even with many requests in flight', async () => {
      await using t = await setUp();
      for (let round = 0; round < 8; round += 1) {
        const { key, id } = await t.hub.admin.issueKey({ hubId: (await t.hub.admin.showKey(t.id)).hubId });
        let hasResponse = false;
        const send = async () => {
          const beganAfter = hasResponse;
          return { beganAfter, status: (await post(t.hub, 'messages', key, { text: 'x' })).status };
        };
        const early = Array.from({ length: 25 }, send);
        const revoked = t.hub.admin.revokeKey(id).then(() => {
          hasResponse = true;
        });
        const meanwhile = Array.from({ length: 25 }, send);
        await revoked;
        const late = Array.from({ length: 8 }, send);
        const responses = await settleDelayed(t.hub.clock, Promise.all([...early, ...meanwhile, ...late]));
        const [before, after] = [responses.slice(0, -8), responses.slice(-8)];
        expect(after.every(({ beganAfter, status }) => beganAfter && status === 401)).toBe(true);
        // Each of the others was either accepted or rejected; every accepted post is counted.
        expect(new Set(before.map(({ status }) => status)).difference(new Set([201, 401])).size).toBe(0);
        expect(await t.hub.admin.showKey(id)).toMatchObject({
          postCount: before.filter(({ status }) => status === 201).length,
        });
      }
    });

    test('on a full disk takes effect immediately, reports that it is not saved yet, and is saved with its audit entry later', async () => {
      await using t = await setUp();
      const full = () => new StoreUnavailable(new Error('disk full'));
      const restore = failInTransactions(t.hub.deps.store, 'keys', 'update', full);
      for (let n = 0; n < 2; n += 1) {
        const rejected = await t.hub.admin.raw('POST', `/keys/${t.id}/revocation`);
        expect(rejected.status).toBe(503);
        const { message } = (await rejected.json()) as { message: string };
        expect(message).toStartWith('The key is revoked and no longer works. But the server cannot use its database');
        t.hub.clock.advance(1_000);
      }
      expect((await post(t.hub, 'messages', t.key, { text: 'x' })).status).toBe(401);
      const revoked = { state: 'revoked', revokedAt: '2026-03-01T09:30:00.000Z' };
      expect(await t.hub.admin.showKey(t.id)).toMatchObject(revoked);
      expect((await t.hub.admin.raw('POST', `/keys/${t.id}/replacement`)).status).toBe(409);
      await expect(flushKeys(t.hub.deps)).rejects.toBeInstanceOf(StoreUnavailable);

      restore();
      await flushKeys(t.hub.deps);
      await flushKeys(t.hub.deps);
      t.hub.clock.advance(3_600_000);
      const { items } = await t.hub.admin.audit('?action=key.revoked&to=2026-03-01T09:30:30Z');
      expect(items.map(({ targetId, at }) => [targetId, at])).toEqual([[t.id, '2026-03-01T09:30:00.000Z']]);
      await using again = await startAfterKill(t.hub);
      expect((await post(again, 'messages', t.key, { text: 'x' })).status).toBe(401);
      expect(await again.admin.showKey(t.id)).toMatchObject(revoked);
    });
  });
});
