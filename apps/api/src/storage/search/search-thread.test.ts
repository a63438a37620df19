import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteUnderTest, type SqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { newKey, newPost } from '../../../test/support/store-records.ts';
import { insertHub, insertKey, insertPost } from '../../../test/support/store-writes.ts';
import type { Log } from '../../core/ports.ts';
import type { KeyListing } from '../key-store.ts';
import { startSearchThread } from './search-thread.ts';

let subject: SqliteUnderTest;
let key: KeyListing;

beforeAll(async () => {
  subject = openSqliteUnderTest();
  const hub = await insertHub(subject.store);
  key = await insertKey(subject.store, newKey(hub.id));
});
afterAll(() => subject.dispose());

const logTo = (lines: string[]): Log => {
  const record = (_fields: object, message: string) => void lines.push(message);
  return { debug: record, info: record, warn: record, error: record };
};
const forWord = (text: string) => ({ terms: [{ text, isPrefix: false }], hubIds: [key.hubId], limit: 10 });
const error = { code: 'unavailable', message: expect.stringContaining('Search is temporarily unavailable') };

describe('the search index thread', () => {
  test('finds a post made just before the query, even without a wake-up message', async () => {
    const thread = startSearchThread({ dataDir: subject.dataDir, clock: new TestClock(), log: logTo([]) });
    await insertPost(subject.store, newPost(key, { body: 'chameleon' }));
    expect(await thread.find(forWord('chameleon'))).toHaveLength(1);
    expect(await thread.find(forWord('absent'))).toEqual([]);
    await thread.close();
  });

  test('returns the right results for simultaneous queries', async () => {
    const thread = startSearchThread({ dataDir: subject.dataDir, clock: new TestClock(), log: logTo([]) });
    await insertPost(subject.store, newPost(key, { body: 'gecko' }));
    await insertPost(subject.store, newPost(key, { body: 'iguana iguana' }));
    await insertPost(subject.store, newPost(key, { body: 'iguana' }));
    const responses = await Promise.all(
      ['gecko', 'iguana', 'absent', 'gecko'].map((word) => thread.find(forWord(word))),
    );
    expect(responses.map((ranks) => ranks.length)).toEqual([1, 2, 0, 1]);
    await thread.close();
  });

  test('rejects queries as unavailable after five seconds, or when it is closed', async () => {
    const clock = new TestClock();
    const thread = startSearchThread({ dataDir: subject.dataDir, clock, log: logTo([]) });
    const asked = thread.find(forWord('chameleon'));
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject(error);
    await thread.close();
    await expect(thread.find(forWord('chameleon'))).rejects.toMatchObject(error);
  });

  test('is unavailable while its index cannot be opened, logs why, and recovers', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hub-search-'));
    const lines: string[] = [];
    const thread = startSearchThread({ dataDir, clock: new TestClock(), log: logTo(lines) });
    await expect(thread.find(forWord('chameleon'))).rejects.toMatchObject(error);
    expect(lines).toContain('Search query failed');
    const filled = openSqliteUnderTest(dataDir);
    expect(await thread.find(forWord('chameleon'))).toEqual([]);
    await thread.close();
    await filled.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
