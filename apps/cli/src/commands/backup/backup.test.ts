import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { post, startOnDatabase } from '@hub/testkit/in-process/test-hub';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../../test/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';

const on = sharedHubctl();

function changeDatabase(file: string, sql: string): void {
  using database = new Database(file);
  database.exec(sql);
}

/** Returns the first value of the first row of a query. */
function valueIn(file: string, sql: string): unknown {
  using database = new Database(file, { readonly: true });
  return database.query(sql).values()[0]?.[0];
}

/** Overwrites a page, as a failing disk does. */
function damagePage(file: string): void {
  writeFileSync(file, readFileSync(file).fill(0x5a, 7 * 4096, 8 * 4096));
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

describe('backup', () => {
  test('writes an intact copy that only its owner can read, prints a summary, and confirms it to the server', async () => {
    const file = folder.file('hub.db');
    const { stdout, stderr } = await on.hubctl(['backup', file]);
    expect(stdout).toMatch(/^Backed up 1 Hub with 0 items as of 2026-03-01 09:30 UTC to .*hub\.db \(\d+\.\d KiB\)\n$/);
    expect(stderr).toBe('');
    expect(readdirSync(folder.path)).toEqual(['hub.db']);
    expect(modeOf(file)).toBe(0o600);
    expect(valueIn(file, 'PRAGMA integrity_check')).toBe('ok');
    expect(valueIn(file, 'SELECT name FROM hubs')).toBe('Releases');
    const again = await on.hubctl(['backup', file, '--force', '--json']);
    const sha256 = new Bun.CryptoHasher('sha256').update(await Bun.file(file).bytes()).digest('hex');
    expect(again.json()).toEqual({
      ...{ file, bytes: statSync(file).size, sha256, createdAt: '2026-03-01T09:30:00.000Z' },
      ...{ hubs: 1, items: 0, files: 0, isConfirmed: true },
    });
    expect((await on.hub.admin.status()).lastBackup).toMatchObject({ sha256 });
  });

  test('removes unfinished files from killed processes, but not from running ones or other machines', async () => {
    const dead = Bun.spawnSync(['true']).pid;
    const kept = [`.x.db.${hostname()}-${process.ppid}.part`, `.x.db.elsewhere-${dead}.part`, 'x.db.part'];
    // In a container, a killed hubctl often had the same process id.
    const abandoned = [dead, process.pid].map((pid) => `.x.db.${hostname()}-${pid}.part`);
    for (const name of [...abandoned, `.hub.db.${hostname()}-${process.pid}.part`, ...kept])
      writeFileSync(folder.file(name), 'half');
    expect((await on.hubctl(['backup', folder.file('hub.db')])).code).toBe(0);
    expect(readdirSync(folder.path).sort()).toEqual([...kept, 'hub.db'].sort());
  });
});

describe('backup, when the download fails or is incomplete,', () => {
  let response: (request: { readonly url: string }) => Response;
  const server = startScriptedServer((request) => response(request));
  afterAll(() => server.stop());

  const env = { HUB_ADMIN_SOCKET: server.socketPath };
  const hubctl = (options: RunOptions = {}) =>
    runHubctl(['backup', folder.file('hub.db'), '--json'], { ...options, env });

  /** Makes the server send a backup that `damage` has changed, with the headers of the intact one. */
  async function sending({ damage = (_: string) => {}, sent = (bytes: Uint8Array) => bytes, fields = {} }) {
    const file = folder.file('source.db');
    expect((await on.hubctl(['backup', file])).code).toBe(0);
    damage(file);
    const bytes = await Bun.file(file).bytes();
    const digest = `sha-256=:${new Bun.CryptoHasher('sha256').update(bytes).digest('base64')}:`;
    const headers = { 'hub-backup-id': 'bak_1', 'hub-backup-bytes': String(bytes.length), 'repr-digest': digest };
    response = ({ url }) =>
      url.endsWith('/confirmation')
        ? errorResponse(404, 'There is no backup bak_1.')
        : new Response(sent(bytes).slice(), { headers: { ...headers, ...fields } });
  }

  const ofOther = (file: string) => changeDatabase(file, 'PRAGMA application_id = 7');

  test.each<[what: string, how: Parameters<typeof sending>[0], code: number, message: string]>([
    ['the response ends too soon', { sent: (bytes) => bytes.subarray(0, 9_000) }, 3, 'was damaged in transit'],
    ['a byte changes in transit', { sent: (bytes) => bytes.with(-1, 1) }, 3, 'was damaged in transit'],
    ['there is no checksum', { fields: { 'repr-digest': 'md5=:x:' } }, 1, 'without its ID, size or checksum'],
    ['the database is damaged', { damage: damagePage }, 1, 'is damaged'],
    ['the database belongs to another program', { damage: ofOther }, 1, 'is not a Hub database'],
  ])('leaves no file if %s', async (_, how, code, message) => {
    await sending(how);
    const ran = await hubctl();
    expect([ran.code, errorOf(ran).message]).toEqual([code, expect.stringContaining(message)]);
    expect(readdirSync(folder.path)).toEqual(['source.db']);
  });

  test('leaves no file if the user cancels the download', async () => {
    const stop = new AbortController();
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new Uint8Array(1_000));
      // It gets its name only once it is complete.
      expect(existsSync(folder.file('hub.db'))).toBe(false);
      stop.abort();
      return new Promise<void>(() => {});
    };
    const digest = `sha-256=:${'A'.repeat(43)}=:`;
    const headers = { 'hub-backup-id': 'b', 'hub-backup-bytes': '9', 'repr-digest': digest };
    response = () => new Response(new ReadableStream({ pull }), { headers });
    const ran = await hubctl({ stop: stop.signal });
    expect([ran.code, errorOf(ran).code]).toEqual([130, 'cancelled']);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('keeps an intact backup with a warning if the server did not record it', async () => {
    await sending({});
    const ran = await hubctl();
    expect([ran.code, ran.json().isConfirmed]).toEqual([0, false]);
    expect(ran.stderr).toContain('the server did not record it. There is no backup bak_1.');
    expect(existsSync(folder.file('hub.db'))).toBe(true);
  });
});

describe('restore', () => {
  let key: string;
  let backup: string;
  let target: string;
  /** A backup that every test copies. */
  const taken = temporaryFolder();
  beforeAll(async () => {
    key = (await on.issue('ci')).key;
    await post(on.hub, 'messages', key, { text: 'kept' });
    await on.hubctl(['backup', taken.file('hub.db')]);
  });
  beforeEach(() => {
    backup = folder.file('backup.db');
    target = folder.file('data');
    cpSync(taken.file('hub.db'), backup);
  });
  afterAll(() => taken[Symbol.dispose]());

  const restore = (argv: string[] = [], options: RunOptions = {}) =>
    runHubctl(['restore', backup, '--data-dir', target, ...argv], options);

  test('creates a folder that only its owner can read, and prints a summary with the next steps', async () => {
    chmodSync(backup, 0o644);
    const before = readFileSync(backup);
    const ran = await restore();
    const summary = /^Restored 1 Hub with 1 item as of 2026-03-01 09:30 UTC into .*data \(\d+\.\d KiB\)\n$/;
    expect(ran.stdout).toMatch(summary);
    const texts = [`Start the server with HUB_DATA_DIR=${target}.`, 'must sign in again', 'revoked or disabled since'];
    for (const text of texts) expect(ran.stderr).toContain(text);
    expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock']);
    expect([modeOf(target), modeOf(join(target, 'hub.db'))]).toEqual([0o700, 0o600]);
    expect(readFileSync(join(target, 'hub.db')).equals(before)).toBe(true);
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'data']);
    // It has the items, the keys and a new epoch.
    await using hub = await startOnDatabase(on.hub, before);
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

  const rejected = async (message: string) => {
    const error = errorOf(await restore(['--json']));
    expect([error.exitCode, error.message]).toEqual([1, expect.stringContaining(message)]);
    return error;
  };

  test('changes nothing if the folder is not empty', async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'hub.db'), 'mine');
    const { hint } = await rejected('is not empty');
    expect(hint).toContain(`mv ${target} ${target}.before`);
    expect(readdirSync(target)).toEqual(['hub.db']);
    expect(readFileSync(join(target, 'hub.db'), 'utf8')).toBe('mine');
  });

  test('changes nothing if a server is using the folder', async () => {
    mkdirSync(target);
    const script = `
      globalThis.lock = new (require('bun:sqlite').Database)(${JSON.stringify(join(target, 'hub.lock'))});
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    await using server = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
    await server.stdout.getReader().read();
    await rejected(`A server is using ${target}`);
    writeFileSync(join(target, 'hub.db'), 'its own');
    await rejected(`A server is using ${target}`);
    expect(readdirSync(target).sort()).toEqual(['hub.db', 'hub.lock']);
  });

  const newer = "INSERT INTO __drizzle_migrations (hash) VALUES ('of tomorrow')";
  test.each<[what: string, damage: (file: string) => void, message: string]>([
    ['is from a newer version', (file) => changeDatabase(file, newer), 'newer version'],
    ['has a damaged page', damagePage, 'is damaged'],
    ['is not a database', (file) => writeFileSync(file, 'however long it is'), 'is not a SQLite database'],
    ['has a write-ahead log', (file) => writeFileSync(`${file}-wal`, ''), 'it has a write-ahead log'],
  ])('changes nothing if the backup %s', async (_, damage, message) => {
    damage(backup);
    const before = readdirSync(folder.path);
    await rejected(message);
    expect(readdirSync(folder.path)).toEqual(before);
  });
});

test('a backup saves files beside it, each once, and they are restored with it; damaged and missing ones are reported', async () => {
  const { id: hubId } = await on.hub.admin.createHub('Files');
  const { key } = await on.hub.admin.issueKey({ hubId });
  const sent = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: 'the content' };
  const upload = () => on.hub.fetch('/api/public/v1/files?name=a.txt', sent);
  const { data } = (await (await upload()).json()) as { data: { id: string } };
  const [first, second] = [folder.file('1.db'), folder.file('2.db')];
  expect((await on.hubctl(['backup', first])).stderr).toContain('Saved 1 new file of 1 in');
  await upload();
  expect((await on.hubctl(['backup', second])).stderr).toContain('Saved 1 new file of 2 in');
  const path = join(folder.path, 'hub-files', data.id.slice(-2), data.id);
  expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['the content', 0o600]);
  const restored = folder.file('restored');
  const restore = (to: string, ...flags: string[]) =>
    runHubctl(['restore', first, '--data-dir', to, '--json', ...flags]);
  expect((await restore(restored)).json()).toMatchObject({ files: 1 });
  expect(readFileSync(join(restored, 'files', data.id.slice(-2), data.id), 'utf8')).toBe('the content');
  writeFileSync(path, 'THE CONTENT');
  expect(errorOf(await restore(folder.file('damaged'))).message).toContain(`The file ${data.id} is damaged`);
  rmSync(path);
  const message = expect.stringContaining('1 of 1 file of posts are not in');
  expect(errorOf(await restore(folder.file('missing')))).toMatchObject({ exitCode: 1, message });
  const missing = await restore(folder.file('missing'), '--without-files');
  expect(missing).toMatchObject({ code: 0, stderr: message });
});
