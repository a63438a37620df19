import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SQLite's transactions are synchronous: an asynchronous callback returns at its first await, the transaction is
 * committed, and the rest runs outside any transaction. `GroupCommit` rejects a promise at run time; this test rejects
 * it in the source.
 */
const ASYNC_CALLBACK = /\b(?:transaction|submit)\s*\(\s*async\b/;

const storeDir = join(import.meta.dir, '..');
const sources = readdirSync(storeDir, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);

test('no transaction of the store has an asynchronous callback', () => {
  const offenders = sources.filter((name) => ASYNC_CALLBACK.test(readFileSync(join(storeDir, name), 'utf8')));
  expect(sources.length).toBeGreaterThan(10);
  expect(offenders).toEqual([]);
});

test('the check detects an asynchronous callback', () => {
  expect('db.transaction(async (tx) => {})').toMatch(ASYNC_CALLBACK);
  expect('writer.submit(\n  async () => {})').toMatch(ASYNC_CALLBACK);
  expect('writer.submit(() => 1)').not.toMatch(ASYNC_CALLBACK);
});
