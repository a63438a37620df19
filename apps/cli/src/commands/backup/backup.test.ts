import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { changeDatabase, damagePage, valueIn } from '../../testing/database-files.ts';
import { temporaryHome } from '../../testing/home.ts';
import { createUser, tokenOf } from '../../testing/hub.ts';
import { type HubctlOnHub, startHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { errorResponse, startScriptedServer } from '../../testing/scripted-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

let on: HubctlOnHub;
beforeAll(async () => {
  on = await startHubctl();
});
afterAll(() => on.stop());

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const digestOf = async (file: string): Promise<string> =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(file).bytes()).digest('hex');

describe('backup', () => {
  test('writes a sound copy of the database that only its owner can read, and says what is in it', async () => {
    const file = folder.file('hub.db');
    const ran = await on.hubctl(['backup', file]);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(
      /^Backed up 1 Hub with 0 items as of 2026-03-01 09:30 UTC to .*hub\.db \(\d+\.\d KiB\)\n$/,
    );
    expect(readdirSync(folder.path)).toEqual(['hub.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(valueIn(file, 'PRAGMA integrity_check')).toBe('ok');
    expect(valueIn(file, 'SELECT name FROM hubs')).toBe('Releases');
  });

  test('tells programs file, size, digest, time and contents, and the server that it keeps it', async () => {
    const file = folder.file('hub.db');
    const ran = await on.hubctl(['backup', file, '--json']);
    expect(ran.json()).toEqual({
      file,
      bytes: statSync(file).size,
      sha256: await digestOf(file),
      createdAt: '2026-03-01T09:30:00.000Z',
      hubs: 1,
      items: 0,
      isConfirmed: true,
    });
    expect((await on.hub.admin.status()).lastBackup).toMatchObject({ sha256: await digestOf(file) });
  });

  test('works from elsewhere with the token of an owner; admins and members are told that only owners may, exit code 4', async () => {
    using home = temporaryHome();
    const elsewhere = { env: { ...home.env, HUB_ADMIN_SOCKET: '' } };
    for (const [role, code] of [
      ['owner', 0],
      ['admin', 4],
      ['member', 4],
    ] as const) {
      const { headers } = await tokenOf(on.hub, await createUser(on.hub, { role }));
      const stdin = headers.authorization?.replace('Bearer ', '') ?? '';
      await on.hubctl(['login', on.hub.origin, '--token-stdin', '--profile', role], { ...elsewhere, stdin });
      const ran = await on.hubctl(['backup', folder.file(`${role}.db`), '--profile', role], elsewhere);
      expect([role, ran.code]).toEqual([role, code]);
      if (code === 4)
        expect(ran.stderr).toContain('Only owners may do this, since it contains every Hub. Ask an owner.');
    }
    expect(readdirSync(folder.path)).toEqual(['owner.db']);
  });

  test('never writes over a file without --force, and asks the server nothing then', async () => {
    const file = folder.file('hub.db');
    writeFileSync(file, 'mine');
    const before = on.hub.store.backups.history();
    expect(await on.hubctl(['backup', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(await Bun.file(file).text()).toBe('mine');
    expect(on.hub.store.backups.history()).toEqual(before);
    expect((await on.hubctl(['backup', file, '--force'])).code).toBe(0);
    expect(valueIn(file, 'SELECT name FROM hubs')).toBe('Releases');
  });

  test('never writes over what a server has open, also with --force', async () => {
    const before = on.hub.store.backups.history();
    writeFileSync(folder.file('hub.lock'), '');
    for (const name of ['hub.db', 'hub.db-wal', 'search.db', 'hub.run']) {
      writeFileSync(folder.file(name), 'the server’s');
      const rejected = await on.hubctl(['backup', folder.file(name), '--force']);
      expect(rejected).toMatchObject({ code: 2, stderr: expect.stringContaining('belongs to the server') });
      expect(await Bun.file(folder.file(name)).text()).toBe('the server’s');
    }
    expect(on.hub.store.backups.history()).toEqual(before);
    expect((await on.hubctl(['backup', folder.file('monday.db'), '--force'])).code).toBe(0);
  });

  test('asks for the file at a terminal alone, and writes none to standard output', async () => {
    const asked = await on.hubctl(['backup'], { responses: [folder.file('hub.db')] });
    expect([asked.code, asked.asked]).toEqual([0, ['File:']]);
    expect(await on.hubctl(['backup'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hubctl backup FILE'),
    });
    const piped = await on.hubctl(['backup', '-']);
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('A backup goes into a file') });
  });

  test('clears away what one that was killed has left there, and nothing of one that runs or of another machine', async () => {
    const dead = Bun.spawnSync(['true']).pid;
    const kept = [`.x.db.${hostname()}-${process.pid}.part`, `.x.db.elsewhere-${dead}.part`, 'x.db.part'];
    for (const name of [`.x.db.${hostname()}-${dead}.part`, ...kept]) writeFileSync(folder.file(name), 'half');
    expect((await on.hubctl(['backup', folder.file('hub.db')])).code).toBe(0);
    expect(readdirSync(folder.path).sort()).toEqual([...kept, 'hub.db'].sort());
  });
});

describe('a backup that is not whole leaves nothing under its name:', () => {
  let response: (request: Request) => Response;
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

  /** What the server would send, after `damage` was done to it, and its header fields as they were before. */
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
  for (const [what, how, code, message] of [
    ['it ends too soon', { sent: half }, 3, 'did not arrive as the server has sent it'],
    ['a byte of it changed on its way', { sent: flipped }, 3, 'did not arrive as the server has sent it'],
    [
      'the server does not say what it sends',
      { fields: { 'repr-digest': 'md5=:x:' } },
      1,
      'does not say what it sends',
    ],
    ['it is damaged', { damage: damagePage }, 1, 'is damaged'],
    ['it is a database of something else', { damage: foreign }, 1, 'is not a database of Hub'],
  ] as const) {
    test(what, async () => {
      await sending(how);
      const ran = await hubctl();
      expect([ran.code, errorOf(ran).message]).toEqual([code, expect.stringContaining(message)]);
      expect(readdirSync(folder.path)).toEqual(['source.db']);
    });
  }

  test('the server refuses', async () => {
    response = () => errorResponse(409, 'Another backup is being taken. Wait until it is done, then try again.');
    expect(errorOf(await hubctl())).toMatchObject({ code: 'conflict', exitCode: 1 });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('somebody stops it', async () => {
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

  test('but one that the server does not count is whole', async () => {
    await sending({});
    const ran = await hubctl();
    expect([ran.code, ran.json().isConfirmed, ran.stderr]).toEqual([
      0,
      false,
      expect.stringContaining('the server does not count it. There is no backup bak_1.'),
    ]);
    expect(existsSync(folder.file('hub.db'))).toBe(true);
  });

  test('and one of a newer server is whole too, and says with what to restore it', async () => {
    await sending({
      damage: (file) => changeDatabase(file, "INSERT INTO __drizzle_migrations (hash) VALUES ('of tomorrow')"),
    });
    const ran = await hubctl();
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The server is newer than this hubctl')]);
  });
});
