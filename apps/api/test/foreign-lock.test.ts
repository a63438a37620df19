import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { join } from 'node:path';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { onlyOnSqlite, startTestHub } from '@hub/testkit/in-process/test-hub';
import { LOCK_PAUSE_MS, MAX_LOCK_WAIT_MS } from '../src/storage/sqlite/engine/group-commit.ts';

const { test } = onlyOnSqlite('its locks make statements wait by themselves');

const PAUSES = MAX_LOCK_WAIT_MS / LOCK_PAUSE_MS;

const hub = shared(startTestHub);
const caller = shared(() => publicCaller(hub));
const post = (text: string) => caller.post('messages', { text });
const stored = async () => (await hub.query<{ body: string }>('SELECT body FROM items')).map(({ body }) => body).sort();
/** The lock of another program: `sqlite3`, a backup tool, Litestream. */
function lock() {
  const program = new Database(join(hub.dataDir, 'hub.db'));
  program.exec('BEGIN IMMEDIATE');
  return () => program.close(true);
}
/** Resolves once the writer, which has met the lock, waits to try again. */
const untilPaused = () => hub.clock.untilSleeping(1);
const retry = async (times: number) => {
  for (let n = 0; n < times; n += 1) {
    await untilPaused();
    hub.clock.advance(LOCK_PAUSE_MS);
  }
};

test('while another program holds the write lock, posts wait up to a second, reads go on, and every post is stored once when the lock is released', async () => {
  const release = lock();
  const first = post('first');
  await retry(PAUSES / 2);
  const second = post('second');
  await retry(PAUSES / 2 - 1);
  expect((await hub.admin.listHubs()).items).toHaveLength(1);
  await untilPaused();
  release();
  await retry(1);
  expect([(await first).status, (await second).status]).toEqual([201, 201]);
  expect(await stored()).toEqual(['first', 'second']);
  expect(hub.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('while another program holds the write lock, a post gets 503 after a second and is not stored; a later one has a second of its own', async () => {
  const before = await stored();
  const release = lock();
  const first = post('third');
  await untilPaused();
  // A member's write that joins the queue half a second later.
  await retry(PAUSES / 2);
  const second = hub.admin.raw('POST', '/hubs', { name: 'Later' });
  await retry(PAUSES / 2);
  const rejected = await first;
  expect(rejected.status).toBe(503);
  expect(await rejected.json()).toMatchObject({ message: expect.stringContaining('Nothing was stored') });
  await untilPaused();
  release();
  await retry(1);
  expect((await second).status).toBe(201);
  expect(await stored()).toEqual(before);
});
