import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { changeDatabase, damagePage, temporaryFolder, valueIn } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';

const on = sharedHubctl();

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

describe('backup', () => {
  test('writes an intact copy that only its owner can read, prints a summary, and confirms it to the server', async () => {
    const file = folder.file('hub.db');
    expect(await on.hubctl(['backup', file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Backed up 1 Hub with 0 items as of 2026-03-01 09:30 UTC to .*hub\.db \(\d+\.\d KiB\)\n$/,
      ),
      stderr: '',
    });
    expect(readdirSync(folder.path)).toEqual(['hub.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(valueIn(file, 'PRAGMA integrity_check')).toBe('ok');
    expect(valueIn(file, 'SELECT name FROM hubs')).toBe('Releases');
    const again = await on.hubctl(['backup', file, '--force', '--json']);
    const sha256 = new Bun.CryptoHasher('sha256').update(await Bun.file(file).bytes()).digest('hex');
    expect(again.json()).toEqual({
      ...{ file, bytes: statSync(file).size, sha256, createdAt: '2026-03-01T09:30:00.000Z' },
      ...{ hubs: 1, items: 0, isConfirmed: true },
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
  let response: (request: { readonly method: string; readonly url: string }) => Response;
  let server: ReturnType<typeof startScriptedServer>;
  beforeAll(() => {
    server = startScriptedServer((request) => response(request));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const hubctl = (options: RunOptions = {}) =>
    runHubctl(['backup', folder.file('hub.db'), '--json'], {
      ...options,
      env: { HUB_ADMIN_SOCKET: server.socketPath },
    });

  /** Makes the server send a backup that `damage` has changed, with the headers of the intact one. */
  async function sending({ damage = (_: string) => {}, sent = (bytes: Uint8Array) => bytes, fields = {} }) {
    const file = folder.file('source.db');
    expect((await on.hubctl(['backup', file])).code).toBe(0);
    damage(file);
    const bytes = await Bun.file(file).bytes();
    const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('base64');
    const headers = {
      'hub-backup-id': 'bak_1',
      'hub-backup-bytes': String(bytes.length),
      'repr-digest': `sha-256=:${digest}:`,
      ...fields,
    };
    response = ({ url }) => {
      if (url.endsWith('/confirmation')) return errorResponse(404, 'There is no backup bak_1.');
      return new Response(sent(bytes).slice(), { headers });
    };
  }

  const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length / 2);
  const foreign = (file: string): void => changeDatabase(file, 'PRAGMA application_id = 7');
  const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 1, 1);
  for (const [title, how, code, message] of [
    ['leaves no file if the response ends too soon', { sent: half }, 3, 'was damaged in transit'],
    ['leaves no file if a byte changes in transit', { sent: flipped }, 3, 'was damaged in transit'],
    [
      'leaves no file if the server sends no checksum',
      { fields: { 'repr-digest': 'md5=:x:' } },
      1,
      'without its ID, size or checksum',
    ],
    ['leaves no file if the database is damaged', { damage: damagePage }, 1, 'is damaged'],
    ['leaves no file if the database belongs to another program', { damage: foreign }, 1, 'is not a Hub database'],
  ] as const) {
    test(title, async () => {
      await sending(how);
      const ran = await hubctl();
      expect([ran.code, errorOf(ran).message]).toEqual([code, expect.stringContaining(message)]);
      expect(readdirSync(folder.path)).toEqual(['source.db']);
    });
  }

  test('leaves no file if the user cancels the download', async () => {
    const stop = new AbortController();
    await sending({});
    response = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            controller.enqueue(new Uint8Array(1_000));
            stop.abort();
            return new Promise(() => {});
          },
        }),
        { headers: { 'hub-backup-id': 'b', 'hub-backup-bytes': '9', 'repr-digest': `sha-256=:${'A'.repeat(43)}=:` } },
      );
    const ran = await hubctl({ stop: stop.signal });
    expect([ran.code, errorOf(ran).code]).toEqual([130, 'cancelled']);
    expect(readdirSync(folder.path)).toEqual(['source.db']);
  });

  test('keeps an intact backup with a warning if the server did not record it', async () => {
    await sending({});
    const ran = await hubctl();
    expect([ran.code, ran.json().isConfirmed, ran.stderr]).toEqual([
      0,
      false,
      expect.stringContaining('the server did not record it. There is no backup bak_1.'),
    ]);
    expect(existsSync(folder.file('hub.db'))).toBe(true);
  });
});
