import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync } from 'node:fs';
import { temporaryFolder } from '../../testing/files.ts';
import { createDatabase, onlyOnPostgres, startTestHub } from '../../testing/hub.ts';
import { startHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { openTerminal } from '../../testing/terminal.ts';

/** Creates an empty database. */
const newDatabase = (): Promise<string> => createDatabase({ template: 'template0' });

test('fails with a JSON document if the server ends before it prints one', async () => {
  const ran = await runHubctl(['move', '--json'], { env: { BUN_OPTIONS: '--preload=/nonexistent.ts' } });
  expect(errorOf(ran)).toMatchObject({ code: 'cancelled', message: 'Nothing was moved.', exitCode: 1 });
});

test('wraps an error of the server at the width of the terminal', async () => {
  const terminal = await openTerminal('hubctl move', {}, 80);
  await terminal.exited;
  expect(terminal.screen().split('\r\n')).toEqual([
    'error: Specify both --from and --to, or one of them and HUB_DATABASE_URL. See:',
    'hubctl move --help',
    'Nothing was moved.',
    '',
  ]);
});

onlyOnPostgres.describe('move', () => {
  const folder = temporaryFolder();
  let source = '';
  beforeAll(async () => {
    const on = await startHubctl({ databaseUrl: null });
    source = on.hub.dataDir;
    await on.hub.stop();
  });
  afterAll(() => folder[Symbol.dispose]());

  const move = (argv: string[], options: RunOptions = {}) => runHubctl(['move', ...argv], options);

  test('moves to PostgreSQL and back, and prints a summary with the next step', async () => {
    const url = await newDatabase();
    const from = folder.file('moved');
    cpSync(source, from, { recursive: true });
    const there = await move(['--from', from, '--to', url]);
    expect([there.code, there.stderr]).toEqual([0, '']);
    expect(there.stdout).toMatch(/^Moved 1 Hub with 0 items from .* to postgres:.* all verified\nStart each node with/);
    const back = folder.file('data');
    const ran = await move(['--to', back, '--json'], { env: { HUB_DATABASE_URL: url } });
    expect(ran.json()).toMatchObject({ from: url, to: back, hubs: 1, items: 0, isNewEpoch: false });
    expect(ran.json<{ tables: object[] }>().tables).toContainEqual({
      name: 'hubs',
      rows: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const terminal = await openTerminal(`hubctl move --from ${back} --to ${await newDatabase()}`, {}, 80);
    await terminal.exited;
    expect(terminal.screen()).toContain('Keep the old directory until you no\r\nlonger need it.');
  });

  test('leads to a workspace that hubctl does not back up, and says what to use instead', async () => {
    await using hub = await startTestHub({ databaseUrl: await newDatabase() });
    const file = folder.file('backup.db');
    const ran = await runHubctl(['backup', file], { env: { HUB_ADMIN_SOCKET: hub.socketPath } });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/stored in PostgreSQL.*pg_dump.*base backups/s)]);
    expect(existsSync(file)).toBe(false);
  });

  test('prints no password, not even that of an address that does not work', async () => {
    const { host } = new URL(await newDatabase());
    const url = `postgres://hub:hunter2@${host}/none`;
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await move(['--from', source, '--to', url, ...flags]);
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(/database \\?"none\\?" does not exist/);
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });

  test('prints errors of the server, with its exit code', async () => {
    const usage = await move(['--json']);
    expect([usage.code, errorOf(usage).code]).toEqual([2, 'usage']);
    const failed = await move(['--from', folder.file('none'), '--to', await newDatabase()]);
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(/^error: .* does not exist.*\nNothing was moved\.\n$/);
    const same = await move(['--from', source, '--to', folder.file('other')]);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('from SQLite to PostgreSQL, or back')]);
  });
});
