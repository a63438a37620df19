import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@hub/testkit';
import { runProgram } from '@hub/testkit/run-program';
import { REPOSITORY, spawnServer } from '@hub/testkit/server-process';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { runHubctl } from '../../../test/run-hubctl.ts';

/** Returns the shell commands under a heading of a page in docs/. */
async function commandsUnder(page: string, heading: string): Promise<string> {
  const text = await Bun.file(join(REPOSITORY, 'docs', page)).text();
  const [, section = ''] = text.split(`\n${heading}\n`);
  const commands = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
  if (commands === undefined) throw new Error(`${page} has no commands under ${heading}`);
  return commands;
}

/** Replaces the paths and ports in the documentation with those of this test. */
function withReplacements(commands: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((text, [documented, actual]) => {
    if (!text.includes(documented)) throw new Error(`The drill does not mention ${documented}`);
    return text.replaceAll(documented, actual);
  }, commands);
}

test('the restore drill in docs/operations.md works as documented, command by command', async () => {
  using folder = temporaryFolder();
  await using hub = spawnServer();
  await hub.serving();
  const hubctl = (...argv: string[]) => runHubctl([...argv, '--data-dir', hub.dataDir]);
  for (const name of ['Releases', 'Canaries', 'Incidents']) await hubctl('hubs', 'create', name);

  mkdirSync(folder.file('backups'));
  mkdirSync(folder.file('bin'));
  const main = join(REPOSITORY, 'apps/cli/src/main.ts');
  for (const [name, command] of Object.entries({ bun: process.execPath, hubctl: `${process.execPath} ${main}` }))
    writeFileSync(folder.file(`bin/${name}`), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  const commands = withReplacements(await commandsUnder('operations.md', '### The restore drill'), {
    '/var/lib/hub': hub.dataDir,
    '/var/backups/hub': folder.file('backups'),
    '/tmp/hub-drill': folder.file('drill'),
    '3999': String(freePort()),
  });
  // Stop the drill's server if a command fails.
  const script = `set -eu\ntrap 'kill $! 2>/dev/null' EXIT\n${commands}\ntrap - EXIT\n`;
  const env = { PATH: `${folder.file('bin')}:${process.env.PATH}`, HOME: folder.path, NO_COLOR: '1' };
  const { stdout, stderr, code } = await runProgram(['sh', '-c', script], { cwd: REPOSITORY, env });
  expect([code, stderr]).toEqual([0, expect.any(String)]);

  expect(stdout).toContain('Backed up 3 Hubs with 0 items');
  expect(stdout).toContain('Restored 3 Hubs with 0 items');
  const [running, restored] = stdout.split('Restored 3 Hubs');
  expect(running).toMatch(/Last backup +20\d\d-.*\(just now\)/);
  expect(restored).toMatch(/Hubs +3\n/);
  expect(restored).toMatch(/Last backup +none/);
  expect(restored).toContain('Canaries');
  for (const name of ['drill', 'drill.log', 'backups/drill.db']) expect(existsSync(folder.file(name))).toBe(false);
  expect((await hubctl('status')).code).toBe(0);
}, 180_000);
