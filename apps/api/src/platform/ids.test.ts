import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { createIds } from './ids.ts';

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
const allOnes = { bytes: (count: number) => new Uint8Array(count).fill(255) };
const allZeros = { bytes: (count: number) => new Uint8Array(count) };

test('an id is a prefix and a ULID in Crockford base 32', () => {
  const newId = createIds(new TestClock(), random);
  expect(newId('msg')).toMatch(/^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

test('the first ten characters after the prefix encode the time', () => {
  // The example of the ULID specification: 01ARYZ6S41 is 1469918176385.
  const newId = createIds(new TestClock(1469918176385), allZeros);
  expect(newId('key')).toBe('key_01ARYZ6S410000000000000000');
});

test('ids created within one millisecond increase by one, with a carry', () => {
  const newId = createIds(new TestClock(0), { bytes: (count) => new Uint8Array(count).fill(31, 1) });
  expect([newId('msg'), newId('msg')]).toEqual(['msg_00000000000ZZZZZZZZZZZZZZZ', 'msg_00000000001000000000000000']);
});

test('ids created within one millisecond never overflow, even after the largest random value', () => {
  const newId = createIds(new TestClock(0), allOnes);
  expect(newId('msg')).toBe('msg_0000000000FZZZZZZZZZZZZZZZ');
  expect(newId('msg')).toBe('msg_0000000000G000000000000000');
});

test('ids of all prefixes increase strictly when the clock stands still, jumps or is set back', () => {
  const clock = new TestClock();
  const newId = createIds(clock, random);
  const start = clock.now();
  const ids: string[] = [];
  for (const wall of [
    start,
    start,
    start + 1,
    start - 3_600_000,
    start - 1,
    start + 1,
    start + 2,
    0,
    start + 86_400_000,
  ]) {
    clock.setWall(wall);
    for (const prefix of ['msg', 'aud', 'msg'] as const) ids.push(newId(prefix).slice(-26));
  }
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test('a hundred thousand ids from one process are unique', () => {
  const newId = createIds(new TestClock(), random);
  expect(new Set(Array.from({ length: 100_000 }, () => newId('req'))).size).toBe(100_000);
});
