import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SQLite's transactions are synchronous: an asynchronous callback returns at its first await, the transaction is committed,
 * and what follows runs in nobody's. `GroupCommit` refuses a promise when it runs; this refuses one when it is written.
 */
const ASYNC_CALLBACK = /\b(?:transaction|submit)\s*\(\s*async\b/;

const room = join(import.meta.dir, '..');
const sources = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);

test('no transaction of the store has an asynchronous callback', () => {
  const offenders = sources.filter((name) => ASYNC_CALLBACK.test(readFileSync(join(room, name), 'utf8')));
  expect(sources.length).toBeGreaterThan(10);
  expect(offenders).toEqual([]);
});

test('the check sees one', () => {
  expect('db.transaction(async (tx) => {})').toMatch(ASYNC_CALLBACK);
  expect('writer.submit(\n  async () => {})').toMatch(ASYNC_CALLBACK);
  expect('writer.submit(() => 1)').not.toMatch(ASYNC_CALLBACK);
});
