import { describe, expect, test } from 'bun:test';
import type { IssuedKey, IssueKeyBody } from '@hub/contract';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A clock that advances by a millisecond each time it is read. */
class RunningClock extends TestClock {
  override now(): number {
    this.advance(1);
    return super.now();
  }
}

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

  test('works without a body', async () => {
    await using t = await setUp();
    const response = await fetch(`http://localhost/api/v1/keys/${t.old.id}/rotation`, {
      method: 'POST',
      unix: t.hub.socketPath,
    });
    expect(response.status).toBe(201);
  });

  test('of a rotated key returns 409 with the successor', async () => {
    await using t = await setUp();
    const next = await t.hub.admin.rotateKey(t.old.id);
    expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).toMatch(new RegExp(`^409 .*${next.id}`));
    expect(await t.outcomeOf(`/keys/${t.old.id}/replacement`)).toMatch(new RegExp(`^409 .*${next.id}`));
    expect(await t.hub.admin.rotateKey(next.id)).toMatchObject({ predecessorId: next.id });
  });

  test('suggests revoking the old key only while it still works', async () => {
    await using t = await setUp();
    await t.hub.admin.rotateKey(t.old.id);
    expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).toEndWith(`To stop ${t.old.id} now, revoke it.`);
    t.hub.clock.advance(DAY_MS);
    expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).not.toContain('revoke');
    const leaked = await t.hub.admin.issueKey({ hubId: t.hubId });
    const next = await t.hub.admin.replaceKey(leaked.id);
    for (const act of ['rotation', 'replacement']) {
      expect(await t.outcomeOf(`/keys/${leaked.id}/${act}`)).toBe(
        `409 ${leaked.id} already has a successor. Rotate or replace the successor instead: ${next.id}.`,
      );
    }
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

  test('of a key that cannot exist returns 404 with its id truncated or omitted', async () => {
    await using t = await setUp();
    for (const act of ['rotation', 'replacement', 'revocation']) {
      expect(await t.outcomeOf(`/keys/%ff/${act}`)).toBe('404 There is no key with this id.');
      const long = await t.outcomeOf(`/keys/${'x'.repeat(5_000)}/${act}`);
      expect(long).toBe(`404 There is no key ${'x'.repeat(64)}….`);
    }
    expect((await t.hub.admin.raw('GET', '/keys/%ff')).status).toBe(404);
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

  test('in a deleted Hub fails and leaves the old key unchanged', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.hubId);
    expect(await t.outcomeOf(`/keys/${t.old.id}/rotation`)).toMatch(/^404 .*was deleted/);
    expect(await t.hub.admin.showKey(t.old.id)).toMatchObject({ state: 'active', successorId: null });
  });

  test('keeps its overlap across a restart', async () => {
    await using t = await setUp();
    await t.hub.admin.rotateKey(t.old.id);
    await t.hub.stop();
    await using again = await startTestHub({ clock: t.hub.clock, dataDir: t.hub.dataDir });
    again.clock.advance(DAY_MS - 1);
    expect((await post(again, 'messages', t.old.key, { text: 'x' })).status).toBe(201);
    again.clock.advance(1);
    expect((await post(again, 'messages', t.old.key, { text: 'x' })).status).toBe(401);
  });

  test('can be followed by revoking the old key early; the successor keeps working', async () => {
    await using t = await setUp();
    const next = await t.hub.admin.rotateKey(t.old.id);
    await t.hub.admin.revokeKey(t.old.id);
    expect(await t.send(t.old)).toBe(401);
    expect(await t.send(next)).toBe(201);
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

  test('records the same time for both keys, however slow the disk is, which distinguishes it from a rotation', async () => {
    await using hub = await startTestHub({ clock: new RunningClock() });
    const { id: hubId } = await hub.admin.createHub();
    const old = await hub.admin.issueKey({ hubId, lifetimeSeconds: 3_600 });
    const next = await hub.admin.replaceKey(old.id);
    expect((await hub.admin.showKey(old.id)).revokedAt).toBe(next.createdAt);
    const lifetimeMs = (key: IssuedKey) => Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt);
    expect([lifetimeMs(old), lifetimeMs(next)]).toEqual([HOUR_MS, HOUR_MS]);
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

  test('can be revoked', async () => {
    await using t = await setUp();
    for (let n = 0; n < 61; n += 1) await t.send(t.old);
    expect(await t.hub.admin.revokeKey(t.old.id)).toMatchObject({ state: 'revoked', blockedUntil: null });
    expect(await t.send(t.old)).toBe(401);
  });
});
