import { describe, expect, spyOn, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { perTest } from '@hub/testkit/in-process/shared';
import { settleDelayed, TestClock } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { generateToken } from '../access/credentials.ts';
import { KeyLimiter } from '../workspace/keys/key-usage.ts';

const unknownKey = () => generateToken(KEY_PREFIX, { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });

describe('authentication by key', () => {
  const hub = perTest(startTestHub);
  const caller = perTest(() => publicCaller(hub));
  const send = async (token: string) => (await post(hub, 'messages', token, { text: 'hello' })).status;

  test('rejects a key with a wrong checksum without a look-up', async () => {
    const lookUps = spyOn(hub.deps.limiter, 'countRequest');
    const [last, cut] = [caller.key.at(-1) === 'x' ? 'y' : 'x', caller.key.slice(0, -1)];
    for (const key of [cut + last, cut, `hub_pat_${caller.key.slice(9)}`, 'anything'])
      expect(await send(key)).toBe(401);
    expect(lookUps).not.toHaveBeenCalled();
    expect(await send(caller.key)).toBe(201);
    expect(lookUps).toHaveBeenCalledTimes(1);
  });

  test('looks a key up by its SHA-256 alone, so its duration reveals nothing about how much of a key is right', async () => {
    const lookUps = spyOn(hub.deps.limiter, 'countRequest');
    const similar = buildToken(KEY_PREFIX, caller.key.slice(9, 42) + (caller.key[42] === 'a' ? 'b' : 'a'));
    for (const key of [similar, caller.key]) await send(key);
    const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');
    expect(lookUps.mock.calls.map(([hash]) => Buffer.from(hash).toString('hex'))).toEqual(
      [similar, caller.key].map(sha256),
    );
  });

  test('never blocks a valid key because of wrong keys from the same address, whose 401 is delayed', async () => {
    for (let n = 0; n < 10; n += 1) expect(await send(unknownKey())).toBe(401);
    const slowed = Promise.all(Array.from({ length: 190 }, () => send(unknownKey())));
    await hub.clock.untilSleeping();
    expect(await send(caller.key)).toBe(201);
    expect(hub.clock.sleeping).toBeGreaterThan(0);
    hub.setClientAddress('192.0.2.99');
    expect(await send(unknownKey())).toBe(401);
    expect(new Set(await settleDelayed(hub.clock, slowed))).toEqual(new Set([401]));
    const { limiter } = hub.deps;
    if (limiter instanceof KeyLimiter) expect(limiter.size).toBe(1);
    expect(await send(caller.key)).toBe(201);
  });
});

test('the key limiter uses memory only for keys used in the last minute: others are dropped as requests arrive', () => {
  const clock = new TestClock();
  const limiter = new KeyLimiter(clock);
  for (let n = 0; n < 10_000; n += 1) limiter.admit(`key_${n}`);
  expect(limiter.size).toBe(10_000);
  clock.advance(60_000);
  // A request takes as long however many keys there are: it checks two of them.
  for (const left of [9_999, 9_997, 9_995]) {
    limiter.admit('busy');
    expect(limiter.size).toBe(left);
  }
  for (let n = 0; n < 5_001; n += 1) limiter.admit('busy');
  expect(limiter.size).toBeLessThanOrEqual(3);
});

test('the key limiter does not discard the window of a key that is constantly used', () => {
  const clock = new TestClock();
  const limiter = new KeyLimiter(clock);
  for (let n = 0; n < 60; n += 1) {
    limiter.admit('steady');
    limiter.admit(`key_${n}`);
    clock.advance(999);
  }
  expect(limiter.admit('steady').admitted).toBe(false);
});
