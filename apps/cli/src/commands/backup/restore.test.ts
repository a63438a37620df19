import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeDatabase, damagePage, temporaryFolder, valueIn } from '@hub/testkit/cli/files';
import { type HubctlOnHub, startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { post, startOnDatabase } from '@hub/testkit/in-process/test-hub';

let on: HubctlOnHub;
let key: string;
/** A backup that every test copies. */
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
  test('creates a folder that only its owner can read, and prints a summary with the next steps', async () => {
    chmodSync(backup, 0o644);
    const before = readFileSync(backup);
    const ran = await restore();
    expect([ran.code, ran.stdout]).toEqual([
      0,
      expect.stringMatching(/^Restored 1 Hub with 1 item as of 2026-03-01 09:30 UTC into .*data \(\d+\.\d KiB\)\n$/),
    ]);
    for (const text of [
      `Start the server with HUB_DATA_DIR=${target}.`,
      'must sign in again',
      'revoked or disabled since',
    ]) {
      expect(ran.stderr).toContain(text);
    }
    expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock']);
    expect([modeOf(target), modeOf(join(target, 'hub.db')), modeOf(join(target, 'hub.lock'))]).toEqual([
      0o700, 0o600, 0o600,
    ]);
    expect(readFileSync(join(target, 'hub.db')).equals(before)).toBe(true);
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'data']);
  });

  test('creates a data folder with the items, the keys and a new epoch, and a server starts on it', async () => {
    expect((await restore()).code).toBe(0);
    await using hub = await startOnDatabase(on.hub, readFileSync(join(target, 'hub.db')));
    expect((await hub.admin.status()).items).toBe(1);
    expect((await post(hub, 'messages', key, { text: 'again' })).status).toBe(201);
    expect((await hub.store.workspace.find()).epoch).not.toBe((await on.hub.store.workspace.find()).epoch);
  });

  test('starts a new epoch for a database that was copied by hand', async () => {
    changeDatabase(backup, 'PRAGMA user_version = 0');
    const ran = await restore(['--json'], { now: Date.parse('2026-04-01T00:00:00Z') });
    expect(ran.json()).toMatchObject({ createdAt: null, items: 1 });
    expect(valueIn(join(target, 'hub.db'), 'PRAGMA user_version')).toBe(Date.parse('2026-04-01T00:00:00Z') / 1000);
    expect(valueIn(backup, 'PRAGMA user_version')).toBe(0);
  });
});

describe('a failed restore', () => {
  const rejected = async (code: number, message: string) => {
    const ran = await restore(['--json']);
    expect([ran.code, errorOf(ran).message]).toEqual([code, expect.stringContaining(message)]);
    return errorOf(ran);
  };

  test('changes nothing if the folder is not empty', async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'hub.db'), 'mine');
    const { hint } = await rejected(1, 'is not empty');
    expect(hint).toContain(`mv ${target} ${target}.before`);
    expect(readdirSync(target)).toEqual(['hub.db']);
    expect(readFileSync(join(target, 'hub.db'), 'utf8')).toBe('mine');
  });

  test('changes nothing if a server is using the folder', async () => {
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
      await rejected(1, `A server is using ${target}`);
      writeFileSync(join(target, 'hub.db'), 'its own');
      await rejected(1, `A server is using ${target}`);
      expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock']);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
    }
  });

  test.each<[what: string, damage: (file: string) => void, message: string]>([
    [
      'is from a newer version',
      (file) => changeDatabase(file, "INSERT INTO __drizzle_migrations (hash) VALUES ('of tomorrow')"),
      'newer version',
    ],
    [
      'belongs to another program',
      (file) => changeDatabase(file, 'PRAGMA application_id = 7'),
      'is not a Hub database',
    ],
    ['has a damaged page', damagePage, 'is damaged'],
  ])('changes nothing if the backup %s', async (_, damage, message) => {
    damage(backup);
    await rejected(1, message);
    expect(readdirSync(folder.path)).toEqual(['backup.db']);
  });

  test('changes nothing if the file is not a database, or has a write-ahead log next to it', async () => {
    writeFileSync(backup, 'not a database, however long it is');
    await rejected(1, 'is not a SQLite database');
    cpSync(taken.file('hub.db'), backup);
    writeFileSync(`${backup}-wal`, '');
    const { hint } = await rejected(1, 'it has a write-ahead log');
    expect(hint).toContain('hubctl backup FILE');
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'backup.db-wal']);
  });
});
