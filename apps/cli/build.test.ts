import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { createUser, newTokenOf } from '@hub/testkit/in-process/users';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { buildVersion } from '../../scripts/build-version.ts';
import { startHubctl } from './test/hubctl-on-hub.ts';
import { KEYS, openTerminal } from './test/terminal.ts';

const { PATH = '' } = process.env;
/** Adds files that Bun reads in its working directory by itself. */
async function addHostileFiles(folder: { file: (name: string) => string }): Promise<void> {
  await Bun.write(folder.file('.env'), 'HUB_URL=http://127.0.0.1:1\n');
  await Bun.write(folder.file('bunfig.toml'), 'preload = ["./hostile.ts"]\n');
  await Bun.write(folder.file('hostile.ts'), 'process.exit(99);\n');
}

test('hubctl in the image ignores .env and bunfig.toml in the current folder, and there is no other bin on Bun', async () => {
  using folder = temporaryFolder();
  await addHostileFiles(folder);
  const script = (await Bun.file(resolve(import.meta.dir, '../../ops/docker/hubctl')).text())
    .replace('/usr/local/bin/hub ', `'${process.execPath}' `)
    .replace('/usr/local/lib/hub/hubctl.js', `'${resolve(import.meta.dir, 'src/main.ts')}'`);
  const argv = ['sh', '-c', script, 'hubctl', 'post', 'x', '--json'];
  const env = { PATH, HUB_API_KEY: buildToken(KEY_PREFIX, 'b3'.repeat(17)) };
  const ran = Bun.spawnSync(argv, { cwd: folder.path, env });
  expect(JSON.parse(ran.stdout.toString()).error.message).toStartWith('No server found at ');
  // A bin would start Bun without these flags.
  expect(await Bun.file(resolve(import.meta.dir, 'package.json')).json()).not.toHaveProperty('bin');
});

test('the compiled file runs every kind of command without the repository, and ignores .env and bunfig.toml in the current folder', async () => {
  using folder = temporaryFolder();
  const outfile = folder.file('hubctl');
  const build = Bun.spawnSync([process.execPath, resolve(import.meta.dir, 'build.ts'), '--outfile', outfile]);
  expect(build.exitCode).toBe(0);

  await using on = await startHubctl();
  await addHostileFiles(folder);
  const hubctl = async (argv: string[], env: Record<string, string> = {}, input = '') => {
    const ran = Bun.spawn([outfile, ...argv], {
      cwd: folder.path,
      env: { PATH, HUB_ADMIN_SOCKET: on.hub.socketPath, ...env },
      stdin: Buffer.from(input),
      stdout: 'pipe',
      stderr: 'inherit',
    });
    return (await ran.stdout.text()).trimEnd();
  };
  expect(await hubctl(['--version'])).toBe(buildVersion(resolve(import.meta.dir, '../..')));
  const { key } = await on.issue('ci');
  expect(await hubctl(['post', 'Hello'], { HUB_API_KEY: key })).toContain(`${on.hub.url}/p/msg_`);
  const over = { HUB_ADMIN_SOCKET: '', HUB_API_KEY: key, HUB_URL: on.hub.url };
  expect(await hubctl(['post', '-'], over, '**Piped** ümlaut\n')).toContain(`${on.hub.url}/p/msg_`);

  // Simulate another machine, which has no admin socket.
  const ada = await createUser(on.hub, { role: 'owner' });
  const elsewhere = { PATH, HUB_ADMIN_SOCKET: '', HOME: folder.path };
  const login = ['login', on.hub.origin, '--with-token', '--profile', 'work'];
  const token = await newTokenOf(on.hub, ada);
  expect(await hubctl(login, elsewhere, token)).toContain(`as ${ada.name} (${ada.email}).`);
  await hubctl(['hubs', 'members', 'add', 'Releases', ada.email], elsewhere);
  await hubctl(['hubs', 'export', 'Releases', 'all.json'], elsewhere);
  expect(await Bun.file(folder.file('all.json')).json()).toMatchObject({ hub: { name: 'Releases' } });

  expect(await hubctl(['backup', 'hub.db', '--json'], elsewhere)).toContain('"items":2');
  expect(await hubctl(['restore', 'hub.db', '--data-dir', 'restored', '--json'])).toContain('"items":2');
  const terminal = await openTerminal(`${outfile} login ${on.hub.origin} --with-token`, elsewhere);
  await terminal.shows('Access token');
  terminal.press(`${token}${KEYS.enter}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('Logged in to');

  const tail = Bun.spawn([outfile, 'tail', 'Releases', '--since', 'all'], { env: elsewhere, stdout: 'pipe' });
  let output = '';
  for await (const chunk of tail.stdout) {
    const wasPrinted = output.includes('Piped');
    output += new TextDecoder().decode(chunk);
    if (!wasPrinted && output.includes('Piped')) await hubctl(['post', 'Live'], { HUB_API_KEY: key });
    if (output.includes('Live')) break;
  }
  expect(output).toContain(' Piped ümlaut');
  tail.kill('SIGTERM');
  expect(await tail.exited).toBe(0);
}, 180_000); // It starts some 12 processes, on a busy machine for several seconds each.
