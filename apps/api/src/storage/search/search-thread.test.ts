import { describe, expect, test } from 'bun:test';
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, until } from '@hub/testkit/concurrency';
import { shared } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { newKey, newPost } from '../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../test/store/under-test.ts';
import { insertHub, insertKey, insertPost, updateItem } from '../../../test/store/writes.ts';
import type { Log } from '../../platform/ports.ts';
import { SEARCH_FILE } from './search-index.ts';
import { startSearchThread } from './search-thread.ts';

const subject = shared(async () => openSqliteUnderTest());
const key = shared(async () => insertKey(subject.store, newKey((await insertHub(subject.store)).id)));

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
const startThread = (clock = new TestClock()) => startSearchThread({ dataDir: subject.dataDir, clock, log });
const post = (body: string) => insertPost(subject.store, newPost(key, { body }));
const forWord = (text: string) => ({ terms: [{ text, isPrefix: false }], hubIds: [key.hubId], limit: 10 });
const costly = () => forWord(`${'ab '.repeat(64)}qx`);
const error = { code: 'unavailable', message: expect.stringContaining('Search is temporarily unavailable') };

describe('the search index thread', () => {
  test('returns the right results for simultaneous queries', async () => {
    const thread = startThread();
    for (const body of ['gecko', 'iguana iguana', 'iguana']) await post(body);
    const responses = await Promise.all(
      ['gecko', 'iguana', 'absent', 'gecko'].map((word) => thread.find(forWord(word), 'ada')),
    );
    expect(responses.map((globalSeqs) => globalSeqs.length)).toEqual([1, 2, 0, 1]);
    await thread.close();
  });

  test('gives up a query after three seconds, whose caller waits for its end while others search', async () => {
    const clock = new TestClock();
    const thread = startThread(clock);
    for (let n = 0; n < 40; n += 1) await post(`qx ${'ab '.repeat(66_000)}`);
    expect(await thread.find(forWord('qx'), 'ada')).toHaveLength(10);
    const sleeping = clock.sleeping;
    const rejection = failureOf(thread.find(costly(), 'ada'));
    await clock.untilSleeping(sleeping + 2);
    expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
    clock.advance(3_000);
    expect(await rejection).toMatchObject({ message: expect.stringContaining('took too long') });
    const again = thread.find(forWord('qx'), 'ada');
    await expect(again).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '5' } });
    expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
    expect(await until(60_000, async () => (await failureOf(thread.find(forWord('qx'), 'ada'))) === null)).toBe(true);
    await thread.close();
  });

  test('closes within a few seconds, whatever its threads do, and rejects further queries', async () => {
    const clock = new TestClock();
    const thread = startThread(clock);
    expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
    const rejection = failureOf(thread.find(costly(), 'ada'));
    expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
    const closed = thread.close();
    clock.advance(1_000);
    // The index thread has nothing to do, and ends by itself.
    await closed;
    clock.advance(3_000);
    expect(await rejection).toMatchObject({ code: 'unavailable' });
    await expect(thread.find(forWord('chameleon'), 'ada')).rejects.toMatchObject(error);
  });

  test('works again after a rebuild of its index has failed', async () => {
    const file = join(subject.dataDir, SEARCH_FILE);
    const thread = startThread();
    const axolotl = newPost(key, { body: 'axolotl' });
    await insertPost(subject.store, axolotl);
    expect(await thread.find(forWord('axolotl'), 'ada')).toHaveLength(1);
    // Without the record of this change, the index has to be rebuilt.
    await updateItem(subject.store, axolotl.id, { at: 1, userId: null, changes: { body: 'newt' } });
    subject.database.exec('DELETE FROM touched_items');
    // A folder in place of the file cannot be replaced, as on a disk with errors.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    mkdirSync(file);
    await expect(thread.find(forWord('newt'), 'ada')).rejects.toMatchObject(error);
    rmdirSync(file);
    // A search does not wait until all is indexed again.
    expect(await until(60_000, async () => (await thread.find(forWord('newt'), 'ada')).length === 1)).toBe(true);
    await thread.close();
  });
});
