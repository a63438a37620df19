import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, readFileSync } from 'node:fs';
import { forgetStatements } from '@hub/testkit/in-process/query-plans';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, startTestHub } from '@hub/testkit/in-process/test-hub';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { systemClock, systemRandom } from '../platform/adapters/system.ts';
import { runMove } from './move-command.ts';

const newDatabase = (): Promise<string> => createDatabase({ template: 'template0' });

/** Runs `hub move`, at a terminal if `isTTY`. */
async function move(argv: string[], { env = {}, isTTY = false } = {}) {
  const out = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    ...{ isTTY, columns: 60 },
    write: (text: string) => (out[name] += text),
  });
  const code = await runMove(argv, {
    ...{ env, stdout: stream('stdout'), stderr: stream('stderr') },
    ...{ platform: process.platform, userId: process.getuid?.() ?? null },
    readFile: (path) => readFileSync(path, 'utf8'),
    ...{ clock: systemClock, random: systemRandom },
    // It reads whole tables.
  }).finally(forgetStatements);
  return { code, ...out };
}

test('rejects a command line without both addresses', async () => {
  expect(await move(['--json'])).toMatchObject({ code: 2, stdout: expect.stringContaining('Specify both') });
});

test('names the directory of a move as an argument, not as a setting', async () => {
  const wrong = `The data directory ${import.meta.path} is a file, or is inside one. Move the file away, or use a directory.`;
  const moved = await move(['--from', 'postgres://hub@127.0.0.1:1/hub', '--to', import.meta.path]);
  expect(moved).toEqual({ code: 1, stdout: '', stderr: `error: ${wrong}\n` });
});

onlyOnPostgres.describe('hub move', () => {
  const folder = temporaryFolder();
  let source = '';
  beforeAll(async () => {
    const hub = await startTestHub({ databaseUrl: null });
    source = hub.dataDir;
    await hub.stop();
  });
  afterAll(() => folder[Symbol.dispose]());

  test('moves to PostgreSQL and back, and prints a summary with the next step', async () => {
    const url = await newDatabase();
    const from = folder.file('moved');
    cpSync(source, from, { recursive: true });
    const there = await move(['--from', from, '--to', url]);
    expect([there.code, there.stderr]).toEqual([0, '']);
    expect(there.stdout).toMatch(
      /^Moved 0 Hubs with 0 items, deleted ones included, from .* to postgres:.* all verified\nStart each node with/,
    );
    const back = folder.file('data');
    const ran = await move(['--to', back, '--json'], { env: { HUB_DATABASE_URL: url } });
    const report = JSON.parse(ran.stdout);
    expect(report).toMatchObject({ from: url, to: back, items: 0, isNewEpoch: false });
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(report.tables).toContainEqual({ name: 'hubs', rows: expect.any(Number), sha256 });
    const inTerminal = await move(['--from', back, '--to', await newDatabase()], { isTTY: true });
    expect(inTerminal.stdout).toContain('Keep the old directory until');
    expect(inTerminal.stderr).toContain('rows …');
  });

  test('prints no password, not even that of an address that does not work', async () => {
    const { host } = new URL(await newDatabase());
    const argv = ['--from', source, '--to', `postgres://hub:hunter2@${host}/none`];
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await move([...argv, ...flags]);
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(/database \\?"none\\?" does not exist/);
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });
});
