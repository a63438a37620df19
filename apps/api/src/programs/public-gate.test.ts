import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { generateToken } from '../access/credentials.ts';
import { KeyLimiter } from '../workspace/keys/key-usage.ts';

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
  const { key } = await publicCaller(hub);
  const send = async (token: string) => (await post(hub, 'messages', token, { text: 'hello' })).status;
  return { hub, key, send, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
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

  test('never blocks a valid key because of wrong keys from the same address, whose 401 is delayed', async () => {
    await using t = await setUp();
    for (let n = 0; n < 10; n += 1) expect(await t.send(unknownKey())).toBe(401);
    const slowed = Promise.all(Array.from({ length: 190 }, () => t.send(unknownKey())));
    await t.hub.clock.untilSleeping();
    expect(await t.send(t.key)).toBe(201);
    expect(t.hub.clock.sleeping).toBeGreaterThan(0);
    t.hub.setClientAddress('192.0.2.99');
    expect(await t.send(unknownKey())).toBe(401);
    expect(new Set(await settleDelayed(t.hub.clock, slowed))).toEqual(new Set([401]));
    const { limiter } = t.hub.deps;
    if (limiter instanceof KeyLimiter) expect(limiter.size).toBe(1);
    expect(await t.send(t.key)).toBe(201);
  });
});
