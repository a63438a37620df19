import { expect, test } from 'bun:test';
import { argon2id, systemRandom } from './crypto.ts';
import { systemClock } from './system-clock.ts';

test('monotonic time never decreases, and sleep lasts at least as long as requested', async () => {
  const before = systemClock.monotonic();
  await systemClock.sleep(5);
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(4.9);
});

test('the wall clock counts milliseconds since 1970', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});

test.if(process.platform === 'linux')('time since boot advances like monotonic time', async () => {
  const before = { boot: systemClock.sinceBoot(), ms: systemClock.monotonic() };
  await systemClock.sleep(50);
  const after = { boot: systemClock.sinceBoot(), ms: systemClock.monotonic() };
  expect(after.boot?.boot).toMatch(/^[0-9a-f-]{36}$/);
  expect(after.boot?.boot).toBe(before.boot?.boot ?? '');
  const risen = (after.boot?.ms ?? Number.NaN) - (before.boot?.ms ?? Number.NaN);
  expect(Math.abs(risen - (after.ms - before.ms))).toBeLessThan(25);
});

test('random bytes have the requested length and do not repeat', () => {
  const draws = Array.from({ length: 100 }, () => Buffer.from(systemRandom.bytes(16)).toString('hex'));
  expect(draws.every((draw) => draw.length === 32)).toBe(true);
  expect(new Set(draws).size).toBe(100);
});

test('a password is hashed with argon2id at the documented cost, with its own salt', async () => {
  const [one, other] = await Promise.all([argon2id.hash('a password'), argon2id.hash('a password')]);
  expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  expect(one).not.toBe(other);
  expect(await argon2id.verify('a password', one)).toBe(true);
  expect(await argon2id.verify('A password', one)).toBe(false);
});

test('a password hashed at another cost still verifies', async () => {
  const former = await Bun.password.hash('a password', { algorithm: 'argon2id', memoryCost: 64, timeCost: 1 });
  expect(await argon2id.verify('a password', former)).toBe(true);
  expect(await argon2id.verify('another', former)).toBe(false);
});
