import { describe, expect, test } from 'bun:test';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '@hub/testkit/storage/store-writes';
import { StoreUnavailable } from '../../platform/errors.ts';
import { flushKeys } from '../../programs/flush-keys.ts';

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId });
  return { hub, key, id, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('revocation', () => {
  test('takes effect immediately', async () => {
    await using t = await setUp();
    expect((await post(t.hub, 'messages', t.key, { text: 'x' })).status).toBe(201);
    expect(await t.hub.admin.revokeKey(t.id)).toMatchObject({
      state: 'revoked',
      revokedAt: '2026-03-01T09:30:00.000Z',
    });
    expect((await post(t.hub, 'messages', t.key, { text: 'x' })).status).toBe(401);
  });

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

  test('of a revoked key changes nothing and returns 200', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.id);
    t.hub.clock.advance(60_000);
    expect(await t.hub.admin.revokeKey(t.id)).toMatchObject({ revokedAt: '2026-03-01T09:30:00.000Z' });
  });

  test('of an unknown key returns 404', async () => {
    await using t = await setUp();
    expect((await t.hub.admin.raw('POST', '/keys/key_unknown/revocation')).status).toBe(404);
  });

  test('survives a restart', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.id);
    await t.hub.stop();
    await using again = await startTestHub({ clock: t.hub.clock, dataDir: t.hub.dataDir });
    expect((await post(again, 'messages', t.key, { text: 'x' })).status).toBe(401);
  });
});
