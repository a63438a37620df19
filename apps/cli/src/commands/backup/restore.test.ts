import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeDatabase, damagePage, valueIn } from '../../testing/database-files.ts';
import { post, startOnDatabase } from '../../testing/hub.ts';
import { type HubctlOnHub, startHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

let on: HubctlOnHub;
let key: string;
/** Taken once; every test has a copy of its own. */
let taken: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  on = await startHubctl();
  key = (await on.issue('ci')).key;
  await post(on.hub, 'messages', key, { text: 'kept' });
  taken = temporaryFolder();
  await on.hubctl(['backup', taken.file('hub.db')]);
});
afterAll(async () => {
  taken[Symbol.dispose]();
  await on.stop();
});

let folder: ReturnType<typeof temporaryFolder>;
let backup: string;
let target: string;
beforeEach(() => {
  folder = temporaryFolder();
  backup = folder.file('backup.db');
  target = folder.file('data');
  cpSync(taken.file('hub.db'), backup);
});
afterEach(() => folder[Symbol.dispose]());

const restore = (argv: string[] = [], options: RunOptions = {}) =>
  runHubctl(['restore', backup, '--data-dir', target, ...argv], options);
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('restore', () => {
  test('puts the backup into a new folder, for its owner alone, and says what it holds and what to do next', async () => {
    chmodSync(backup, 0o644);
    const before = readFileSync(backup);
    const ran = await restore();
    expect([ran.code, ran.stdout]).toEqual([
      0,
      expect.stringMatching(/^Restored 1 Hub with 1 item as of 2026-03-01 09:30 UTC into .*data \(\d+\.\d KiB\)\n$/),
    ]);
    for (const text of [`HUB_DATA_DIR=${target} bun run start`, 'signs in anew', 'revoked or disabled since']) {
      expect(ran.stderr).toContain(text);
    }
    expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock']);
    expect([modeOf(target), modeOf(join(target, 'hub.db')), modeOf(join(target, 'hub.lock'))]).toEqual([
      0o700, 0o600, 0o600,
    ]);
    expect(readFileSync(join(target, 'hub.db')).equals(before)).toBe(true);
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'data']);
  });

  test('tells programs what it holds', async () => {
    expect((await restore(['--json'])).json()).toEqual({
      dataDir: target,
      bytes: statSync(backup).size,
      createdAt: '2026-03-01T09:30:00.000Z',
      hubs: 1,
      items: 1,
    });
  });

  test('makes a folder on which a server starts, with the items and the keys, as another epoch', async () => {
    expect((await restore()).code).toBe(0);
    await using hub = await startOnDatabase(on.hub, readFileSync(join(target, 'hub.db')));
    expect((await hub.admin.status()).items).toBe(1);
    expect((await post(hub, 'messages', key, { text: 'again' })).status).toBe(201);
    expect((await hub.store.workspace()).epoch).not.toBe((await on.hub.store.workspace()).epoch);
  });

  test('takes HUB_DATA_DIR for the folder, and fills an empty one, also on a disk of its own', async () => {
    mkdirSync(join(target, 'lost+found'), { recursive: true });
    const ran = await runHubctl(['restore', backup], { env: { HUB_DATA_DIR: target } });
    expect(ran.code).toBe(0);
    expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock', 'lost+found']);
  });

  test('goes on where one was killed, and clears away what that has left', async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'hub.lock'), '');
    writeFileSync(join(target, `.hub.db.${on.hub.dataDir.length}-1.part`), 'half');
    expect((await restore()).code).toBe(0);
  });

  test('makes another epoch of a database that was copied by hand, too', async () => {
    changeDatabase(backup, 'PRAGMA user_version = 0');
    const ran = await restore(['--json'], { now: Date.parse('2026-04-01T00:00:00Z') });
    expect(ran.json()).toMatchObject({ createdAt: null, items: 1 });
    expect(valueIn(join(target, 'hub.db'), 'PRAGMA user_version')).toBe(Date.parse('2026-04-01T00:00:00Z') / 1000);
    expect(valueIn(backup, 'PRAGMA user_version')).toBe(0);
  });

  test('asks for the file at a terminal alone', async () => {
    const asked = await runHubctl(['restore', '--data-dir', target], { responses: [backup] });
    expect([asked.code, asked.asked]).toEqual([0, ['File:']]);
    expect((await runHubctl(['restore'])).code).toBe(2);
  });
});

describe('restore refuses, and changes nothing:', () => {
  const rejected = async (code: number, message: string) => {
    const ran = await restore(['--json']);
    expect([ran.code, errorOf(ran).message]).toEqual([code, expect.stringContaining(message)]);
    return errorOf(ran);
  };

  test('a folder that holds anything', async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'hub.db'), 'mine');
    const { hint } = await rejected(1, 'is not empty');
    expect(hint).toContain(`mv ${target} ${target}.before`);
    expect(readdirSync(target)).toEqual(['hub.db']);
    expect(readFileSync(join(target, 'hub.db'), 'utf8')).toBe('mine');
  });

  test('a folder on which a server runs', async () => {
    mkdirSync(target);
    const script = `
      import { Database } from 'bun:sqlite';
      globalThis.lock = new Database(${JSON.stringify(join(target, 'hub.lock'))});
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    const server = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
    try {
      await server.stdout.getReader().read();
      await rejected(1, `A server is running on ${target}`);
      writeFileSync(join(target, 'hub.db'), 'its own');
      await rejected(1, `A server is running on ${target}`);
      expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock']);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
    }
  });

  for (const [what, damage, message] of [
    ['a backup of a newer version', "INSERT INTO __drizzle_migrations (hash) VALUES ('of tomorrow')", 'newer version'],
    ['a database of something else', 'PRAGMA application_id = 7', 'is not a database of Hub'],
  ] as const) {
    test(what, async () => {
      changeDatabase(backup, damage);
      await rejected(1, message);
      expect(readdirSync(folder.path)).toEqual(['backup.db']);
    });
  }

  test('a backup with a damaged page', async () => {
    damagePage(backup);
    await rejected(1, 'is damaged');
    expect(readdirSync(folder.path)).toEqual(['backup.db']);
  });

  test('half of a backup', async () => {
    const whole = readFileSync(backup);
    writeFileSync(backup, whole.subarray(0, whole.length / 2));
    await rejected(1, 'is damaged');
    expect(readdirSync(folder.path)).toEqual(['backup.db']);
  });

  test('a file that is no database, and a database with a log beside it', async () => {
    writeFileSync(backup, 'not a database, however long it is');
    await rejected(1, 'is not a SQLite database');
    cpSync(taken.file('hub.db'), backup);
    writeFileSync(`${backup}-wal`, '');
    const { hint } = await rejected(1, 'there is a log beside it');
    expect(hint).toContain('hubctl backup FILE');
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'backup.db-wal']);
  });

  test('what is no file, and what is no folder', async () => {
    const written = backup;
    backup = folder.path;
    await rejected(1, 'is not a file');
    backup = folder.file('nowhere.db');
    await rejected(1, 'there is no such file');
    backup = written;
    target = written;
    await rejected(1, 'cannot be used');
    expect(readdirSync(folder.path)).toEqual(['backup.db']);
  });

  test('a server elsewhere', async () => {
    const ran = await runHubctl(['restore', backup, '--profile', 'work']);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('restored on this machine') });
  });
});
