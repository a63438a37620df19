import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { join } from 'node:path';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { onlyOnSqlite, startTestHub } from '@hub/testkit/in-process/test-hub';
import { LOCK_PAUSE_MS, MAX_LOCK_WAIT_MS } from '../src/storage/sqlite/engine/group-commit.ts';

const { describe, test } = onlyOnSqlite('its locks make statements wait by themselves');

const PAUSES = MAX_LOCK_WAIT_MS / LOCK_PAUSE_MS;

/** A server, and the database as another program has it open: `sqlite3`, a backup tool, Litestream. */
async function setUp() {
  const hub = await startTestHub();
  const { clock } = hub;
  const caller = await publicCaller(hub);
  const file = join(hub.dataDir, 'hub.db');
  const program = new Database(file);
  const sleepers = clock.sleeping + 1;
  return {
    hub,
    file,
    program,
    post: (text: string) => caller.post('messages', { text }),
    stored: async () => (await hub.query<{ body: string }>('SELECT body FROM items')).map(({ body }) => body).sort(),
    /** Lets the writer, which has met the lock, try again this many times. */
    retry: async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        await clock.untilSleeping(sleepers);
        clock.advance(LOCK_PAUSE_MS);
      }
    },
    untilPaused: () => clock.untilSleeping(sleepers),
    [Symbol.asyncDispose]: async () => {
      program.close(false);
      await hub[Symbol.asyncDispose]();
    },
  };
}

describe('while another program holds the write lock', () => {
  test('posts wait up to a second, reads go on, and every post is stored once when the lock is released', async () => {
    await using t = await setUp();
    t.program.exec('BEGIN IMMEDIATE');
    const first = t.post('first');
    await t.retry(PAUSES / 2);
    const second = t.post('second');
    await t.retry(PAUSES / 2 - 1);
    expect((await t.hub.admin.listHubs()).items).toHaveLength(1);
    await t.untilPaused();
    t.program.exec('COMMIT');
    await t.retry(1);
    expect([(await first).status, (await second).status]).toEqual([201, 201]);
    expect(await t.stored()).toEqual(['first', 'second']);
    expect(t.hub.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a post gets 503 after a second and is not stored; a later one has a second of its own', async () => {
    await using t = await setUp();
    t.program.exec('BEGIN IMMEDIATE');
    const first = t.post('first');
    await t.untilPaused();
    // A member's write that joins the queue half a second later.
    await t.retry(PAUSES / 2);
    const second = t.hub.admin.raw('POST', '/hubs', { name: 'Later' });
    await t.retry(PAUSES / 2);
    const rejected = await first;
    expect(rejected.status).toBe(503);
    expect(await rejected.json()).toMatchObject({ message: expect.stringContaining('Nothing was stored') });
    await t.untilPaused();
    t.program.exec('ROLLBACK');
    await t.retry(1);
    expect((await second).status).toBe(201);
    expect(await t.stored()).toEqual([]);
  });
});
