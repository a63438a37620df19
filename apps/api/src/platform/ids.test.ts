import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { argon2id, systemClock } from './adapters/system.ts';
import { createIds } from './ids.ts';

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };

test('an id is a prefix and a ULID in Crockford base 32; within one millisecond ids increase by one, without overflow', () => {
  expect(createIds(new TestClock(), random)('msg')).toMatch(/^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const twoFrom = (fill: (bytes: Uint8Array) => Uint8Array) => {
    const newId = createIds(new TestClock(0), { bytes: (count) => fill(new Uint8Array(count)) });
    return `${newId('msg')} ${newId('msg')}`;
  };
  const carried = twoFrom((bytes) => bytes.fill(31, 1));
  expect(carried).toBe('msg_00000000000ZZZZZZZZZZZZZZZ msg_00000000001000000000000000');
  const largest = twoFrom((bytes) => bytes.fill(255));
  expect(largest).toBe('msg_0000000000FZZZZZZZZZZZZZZZ msg_0000000000G000000000000000');
});

test('ids of all prefixes increase strictly when the clock stands still, jumps or is set back', () => {
  const clock = new TestClock();
  const newId = createIds(clock, random);
  const start = clock.now();
  const ids: string[] = [];
  for (const jump of [0, 0, 1, -3_600_000, -1, 1, 2, -start, 86_400_000]) {
    clock.setWall(start + jump);
    for (const prefix of ['msg', 'aud', 'msg'] as const) ids.push(newId(prefix).slice(-26));
  }
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test('monotonic time and the time since boot advance alike, at least as long as a sleep lasts', async () => {
  // The process may be interrupted between two readings.
  const read = () => ({ from: systemClock.monotonic(), boot: systemClock.sinceBoot(), to: systemClock.monotonic() });
  const before = read();
  await systemClock.sleep(20);
  const after = read();
  expect(after.from - before.to).toBeGreaterThanOrEqual(19.9);
  if (process.platform !== 'linux') return;
  expect(after.boot?.boot).toMatch(/^[0-9a-f-]{36}$/);
  expect(after.boot?.boot).toBe(before.boot?.boot ?? '');
  const risen = (after.boot?.ms ?? Number.NaN) - (before.boot?.ms ?? Number.NaN);
  expect(risen).toBeWithin(after.from - before.to - 25, after.to - before.from + 25);
});

test('a password is hashed with argon2id at the documented cost, with its own salt', async () => {
  const [one, other] = await Promise.all([argon2id.hash('a password'), argon2id.hash('a password')]);
  expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  expect(one).not.toBe(other);
  const verified = await Promise.all(['a password', 'A password'].map((password) => argon2id.verify(password, one)));
  expect(verified).toEqual([true, false]);
});
