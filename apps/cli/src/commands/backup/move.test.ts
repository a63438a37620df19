import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { openTerminal } from '@hub/testkit/cli/terminal';
import { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-hub';

/** Creates an empty database. */
const newDatabase = (): Promise<string> => createDatabase({ template: 'template0' });

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
});
