import { expect, test } from 'bun:test';
import type { IssuedKey, IssueKeyBody } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '../../../test/store/writes.ts';
import { StoreUnavailable } from '../../platform/errors.ts';

const DAY_MS = 86_400_000;

const hub = shared(startTestHub);
const inMs = (ms: number) => new Date(hub.clock.now() + ms).toISOString();

/** Issues a key in a Hub of its own. */
async function setUp(over: Partial<IssueKeyBody> = {}) {
  const old = await hub.admin.issueKey({ name: 'canary-watch', scopes: ['messages:create'], ...over });
  const send = async ({ key }: Pick<IssuedKey, 'key'>) => (await post(hub, 'messages', key, { text: 'hello' })).status;
  const outcomeOf = (path: string, body: object = {}) => hub.admin.outcome('POST', path, body);
  return { hubId: old.hubId, old, send, outcomeOf };
}

test('rotation creates a new active key with the same name, Hub, scopes and expiry, and links both', async () => {
  const t = await setUp();
  const next = await hub.admin.rotateKey(t.old.id);
  expect(next).toMatchObject({
    ...{ name: 'canary-watch', hubId: t.hubId, scopes: ['messages:create'], state: 'active', expiresAt: null },
    ...{ generation: 2, predecessorId: t.old.id, successorId: null },
  });
  expect(next.key).not.toBe(t.old.key);
  expect(await t.send(next)).toBe(201);
});

test.each([
  ['for exactly 24 hours', {}, DAY_MS],
  ['until its own earlier expiry', { lifetimeSeconds: 3_600 }, 3_600_000],
])('rotation keeps the old key valid %s; then it gets 401', async (_, expiry, overlapMs) => {
  const t = await setUp(expiry);
  const overlapEndsAt = inMs(overlapMs);
  const { id: successorId } = await hub.admin.rotateKey(t.old.id);
  expect(await hub.admin.showKey(t.old.id)).toMatchObject({ state: 'rotated', successorId, overlapEndsAt });
  hub.clock.advance(overlapMs - 1);
  expect(await t.send(t.old)).toBe(201);
  hub.clock.advance(1);
  expect(await t.send(t.old)).toBe(401);
  expect((await hub.admin.showKey(t.old.id)).state).toBe('expired');
});

test('rotation gives the new key the same lifetime, counted from now, or the expiry in the body', async () => {
  const t = await setUp({ lifetimeSeconds: 30 * 86_400 });
  hub.clock.advance(10 * DAY_MS);
  const next = await hub.admin.rotateKey(t.old.id);
  expect(next.expiresAt).toBe(inMs(30 * DAY_MS));
  hub.clock.advance(29 * DAY_MS);
  const third = await hub.admin.rotateKey(next.id);
  expect([third.expiresAt, third.generation]).toEqual([inMs(30 * DAY_MS), 3]);
  const fourth = await hub.admin.rotateKey(third.id, { expiresAt: inMs(90 * DAY_MS) });
  expect(fourth.expiresAt).toBe(inMs(90 * DAY_MS));
  const { id, expiresAt } = await hub.admin.rotateKey(fourth.id, { lifetimeSeconds: 60 });
  expect(expiresAt).toBe(inMs(60_000));
  expect(await t.outcomeOf(`/keys/${id}/rotation`, { expiresAt: '2020-01-01T00:00Z' })).toStartWith('400 ');
  expect(await t.outcomeOf(`/keys/${id}/rotation`, { name: 'other' })).toStartWith('400 name is not a field');
});

test('rotation of a rotated key returns 409 with the successor, of a revoked or expired key 409, and of an unknown key 404', async () => {
  const t = await setUp({ lifetimeSeconds: 60 });
  const [revoked, rotated] = [(await setUp()).old, (await setUp()).old];
  await hub.admin.revokeKey(revoked.id);
  const next = await hub.admin.rotateKey(rotated.id);
  hub.clock.advance(60_000);
  expect(await t.outcomeOf(`/keys/${rotated.id}/rotation`)).toMatch(new RegExp(`^409 .*${next.id}`));
  expect(await t.outcomeOf(`/keys/${rotated.id}/replacement`)).toMatch(new RegExp(`^409 .*${next.id}`));
  expect(await t.outcomeOf(`/keys/${revoked.id}/rotation`)).toMatch(/^409 .*was revoked.*Issue a new key/);
  expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).toMatch(/^409 .*has expired.*Issue a new key/);
  expect(await t.outcomeOf('/keys/key_unknown/rotation')).toBe('404 There is no key key_unknown.');
});

test('rotation of one key by many concurrent requests succeeds exactly once, and the others return 409 with the successor', async () => {
  const t = await setUp();
  const verbs = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'rotation' : 'replacement'));
  const outcomes = await Promise.all(verbs.map((verb) => t.outcomeOf(`/keys/${t.old.id}/${verb}`)));
  const { items } = await hub.admin.listKeys(`?hubId=${t.hubId}`);
  expect(items).toHaveLength(2);
  const rejected = expect.stringMatching(new RegExp(`^409 .*${items[0]?.id}`));
  expect(outcomes.toSorted()).toEqual(['201', ...Array(19).fill(rejected)]);
});

test('rotation concurrent with a revocation leaves the key unusable, whichever comes first', async () => {
  const t = await setUp();
  const [rotation] = await Promise.all([t.outcomeOf(`/keys/${t.old.id}/rotation`), hub.admin.revokeKey(t.old.id)]);
  expect([rotation.slice(0, 3), await t.send(t.old)]).toEqual([expect.stringMatching(/201|409/), 401]);
});

test('replacement revokes the old key in the same step', async () => {
  const t = await setUp({ lifetimeSeconds: 86_400 });
  const [revokedAt, expiresAt] = [inMs(0), inMs(DAY_MS)];
  const next = await hub.admin.replaceKey(t.old.id);
  expect([await t.send(t.old), await t.send(next)]).toEqual([401, 201]);
  expect(next).toMatchObject({ name: 'canary-watch', generation: 2, predecessorId: t.old.id, expiresAt });
  const old = { state: 'revoked', revokedAt, overlapEndsAt: null, successorId: next.id };
  expect(await hub.admin.showKey(t.old.id)).toMatchObject(old);
});

test.each(['rotation', 'replacement'] as const)(
  'a blocked key can be superseded by %s, and the successor starts with an empty window',
  async (how) => {
    const t = await setUp();
    for (let n = 0; n < 61; n += 1) await t.send(t.old);
    expect((await hub.admin.showKey(t.old.id)).state).toBe('blocked');
    const next = await (how === 'rotation' ? hub.admin.rotateKey(t.old.id) : hub.admin.replaceKey(t.old.id));
    expect(next).toMatchObject({ state: 'active', blockedUntil: null });
    const response = await post(hub, 'messages', next.key, { text: 'x' });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([201, '"default";r=59;t=60']);
    // The old key stays blocked after a rotation, and is revoked after a replacement.
    expect(await t.send(t.old)).toBe(how === 'rotation' ? 403 : 401);
  },
);

test('revocation rejects every request that begins after its response, even with many requests in flight', async () => {
  const { hubId } = await setUp();
  for (let round = 0; round < 4; round += 1) {
    const { key, id } = await hub.admin.issueKey({ hubId });
    const send = async () => (await post(hub, 'messages', key, { text: 'x' })).status;
    const early = Array.from({ length: 25 }, send);
    const revoked = hub.admin.revokeKey(id);
    const meanwhile = Array.from({ length: 25 }, send);
    await revoked;
    const late = Array.from({ length: 8 }, send);
    expect(await settleDelayed(hub.clock, Promise.all(late))).toEqual(Array(8).fill(401));
    // Each of the others was either accepted or rejected; every accepted post is counted.
    const before = await settleDelayed(hub.clock, Promise.all([...early, ...meanwhile]));
    expect(before.filter((status) => status !== 201 && status !== 401)).toEqual([]);
    const postCount = before.filter((status) => status === 201).length;
    expect(await hub.admin.showKey(id)).toMatchObject({ postCount });
  }
});

test('revocation on a full disk takes effect immediately, reports that it is not saved yet, and is saved with its audit entry later', async () => {
  await using own = await startTestHub();
  const { id, key } = await own.admin.issueKey();
  const restore = failInTransactions(own.deps.store, 'keys', 'update');
  for (let n = 0; n < 2; n += 1) {
    expect(await own.admin.outcome('POST', `/keys/${id}/revocation`)).toStartWith(
      '503 The key is revoked and no longer works. But the server cannot use its database',
    );
    own.clock.advance(1_000);
  }
  expect((await post(own, 'messages', key, { text: 'x' })).status).toBe(401);
  const revoked = { state: 'revoked', revokedAt: '2026-03-01T09:30:00.000Z' };
  expect(await own.admin.showKey(id)).toMatchObject(revoked);
  expect((await own.admin.raw('POST', `/keys/${id}/replacement`)).status).toBe(409);
  await expect(own.flushKeys()).rejects.toBeInstanceOf(StoreUnavailable);

  restore();
  await own.flushKeys();
  await own.flushKeys();
  own.clock.advance(3_600_000);
  const { items } = await own.admin.audit('?action=key.revoked&to=2026-03-01T09:30:30Z');
  expect(items.map(({ targetId, at }) => [targetId, at])).toEqual([[id, '2026-03-01T09:30:00.000Z']]);
  await using again = await startAfterKill(own);
  expect((await post(again, 'messages', key, { text: 'x' })).status).toBe(401);
  expect(await again.admin.showKey(id)).toMatchObject(revoked);
});
