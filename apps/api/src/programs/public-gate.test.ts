import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { generateToken } from '../access/tokens.ts';
import { KeyLimiter } from './key-limiter.ts';

const unknownKey = () => generateToken(KEY_PREFIX, { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });

/** Returns what keys are looked up by from now on. */
function recordLookUps({ deps }: TestHub): Uint8Array[] {
  const { limiter } = deps;
  const lookUp = limiter.countRequest.bind(limiter);
  const hashes: Uint8Array[] = [];
  limiter.countRequest = (tokenHash, ...rest) => {
    hashes.push(tokenHash);
    return lookUp(tokenHash, ...rest);
  };
  return hashes;
}

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId });
  const send = async (token: string) => (await post(hub, 'messages', token, { text: 'hello' })).status;
  return { hub, hubId, key, id, send, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('authentication by key', () => {
  test('rejects a key with a wrong checksum without a look-up', async () => {
    await using t = await setUp();
    const lookUps = recordLookUps(t.hub);
    const last = t.key.at(-1) === 'x' ? 'y' : 'x';
    expect(await t.send(t.key.slice(0, -1) + last)).toBe(401);
    expect(await t.send(t.key.slice(0, -1))).toBe(401);
    expect(await t.send('hub_pat_'.concat(t.key.slice(9)))).toBe(401);
    expect(await t.send('anything')).toBe(401);
    expect(lookUps).toEqual([]);
    expect(await t.send(t.key)).toBe(201);
    expect(lookUps).toHaveLength(1);
  });

  test('looks a key up by its SHA-256 alone, so its duration reveals nothing about how much of a key is right', async () => {
    await using t = await setUp();
    const lookUps = recordLookUps(t.hub);
    const similar = buildToken(KEY_PREFIX, t.key.slice(9, 42) + (t.key[42] === 'a' ? 'b' : 'a'));
    for (const key of [similar, t.key]) await t.send(key);
    const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');
    expect(lookUps.map((hash) => Buffer.from(hash).toString('hex'))).toEqual([similar, t.key].map(sha256));
  });

  test('returns the same message for unknown, expired and revoked keys', async () => {
    await using t = await setUp();
    const expired = await t.hub.admin.issueKey({ hubId: t.hubId, lifetimeSeconds: 1 });
    const revoked = await t.hub.admin.issueKey({ hubId: t.hubId });
    await t.hub.admin.revokeKey(revoked.id);
    t.hub.clock.advance(1_000);
    const messages = new Set<string>();
    for (const key of [unknownKey(), expired.key, revoked.key]) {
      const response = await post(t.hub, 'messages', key, { text: 'x' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      messages.add(((await response.json()) as { message: string }).message);
    }
    expect(messages.size).toBe(1);
  });

  test('never blocks a valid key because of wrong keys', async () => {
    await using t = await setUp();
    const guesses = Array.from({ length: 200 }, () => post(t.hub, 'messages', unknownKey(), { text: 'x' }));
    const responses = Promise.all(guesses);
    expect(await t.send(t.key)).toBe(201);
    const statuses = (await settleDelayed(t.hub.clock, responses)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    const { limiter } = t.hub.deps;
    if (limiter instanceof KeyLimiter) expect(limiter.size).toBe(1);
    expect(await t.send(t.key)).toBe(201);
  });

  test('delays the 401 for an address that keeps failing, but not its requests with a valid key', async () => {
    await using t = await setUp();
    for (let n = 0; n < 10; n += 1) expect(await t.send(unknownKey())).toBe(401);
    const slowed = t.send(unknownKey());
    await t.hub.clock.untilSleeping();
    expect(await t.send(t.key)).toBe(201);
    expect(t.hub.clock.sleeping).toBe(1);
    t.hub.setClientAddress('192.0.2.99');
    expect(await t.send(unknownKey())).toBe(401);
    t.hub.clock.advance(100);
    expect(await slowed).toBe(401);
  });
});

describe('expiry', () => {
  test('accepts a key 1 ms before expiresAt and returns 401 at expiresAt', async () => {
    await using t = await setUp();
    const { key, id } = await t.hub.admin.issueKey({ hubId: t.hubId, lifetimeSeconds: 86_400 });
    t.hub.clock.advance(86_400_000 - 1);
    expect(await t.send(key)).toBe(201);
    expect((await t.hub.admin.showKey(id)).state).toBe('active');
    t.hub.clock.advance(1);
    expect(await t.send(key)).toBe(401);
    expect((await t.hub.admin.showKey(id)).state).toBe('expired');
  });
});
