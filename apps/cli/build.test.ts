import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildVersion } from '../../scripts/build-version.ts';
import { temporaryFolder } from './src/testing/files.ts';
import { createUser } from './src/testing/hub.ts';
import { startHubctl } from './src/testing/hubctl-on-hub.ts';
import { KEYS, openTerminal } from './src/testing/terminal.ts';

test('the compiled file runs every kind of command without the repository, and ignores a .env in the current folder', async () => {
  using folder = temporaryFolder();
  const outfile = folder.file('hubctl');
  const build = Bun.spawnSync([process.execPath, resolve(import.meta.dir, 'build.ts'), '--outfile', outfile]);
  expect(build.exitCode).toBe(0);

  await using on = { ...(await startHubctl()), [Symbol.asyncDispose]: () => on.stop() };
  await Bun.write(folder.file('.env'), 'HUB_URL=http://127.0.0.1:1\n');
  const hubctl = async (argv: string[], env: Record<string, string> = {}, input = '') => {
    const ran = Bun.spawn([outfile, ...argv], {
      cwd: folder.path,
      env: { HUB_ADMIN_SOCKET: on.hub.socketPath, ...env },
      stdin: Buffer.from(input),
      stdout: 'pipe',
      stderr: 'inherit',
    });
    return (await ran.stdout.text()).trimEnd();
  };
  expect(await hubctl(['--version'])).toBe(buildVersion(resolve(import.meta.dir, '../..')));
  expect(JSON.parse(await hubctl(['hubs', 'create', 'Compiled', '--json']))).toMatchObject({ name: 'Compiled' });
  const issue = ['keys', 'issue', '--hub', 'Compiled', '--name', 'ci', '--scopes', 'messages', '--json'];
  const { key } = JSON.parse(await hubctl(issue));
  expect(await hubctl(['post', 'Hello'], { HUB_API_KEY: key })).toContain(`${on.hub.url}/p/msg_`);
  expect(await hubctl(['completion', 'bash'])).toContain('complete -F _hubctl hubctl');

  // Simulate another machine, which has no admin socket.
  const ada = await createUser(on.hub, { role: 'owner' });
  const elsewhere = { HUB_ADMIN_SOCKET: '', HOME: folder.path };
  const login = ['login', on.hub.origin, '--email', ada.email, '--password-stdin', '--profile', 'work'];
  expect(await hubctl(login, elsewhere, ada.password)).toContain(`as ${ada.name} (${ada.email}).`);
  expect(statSync(folder.file('.config/hubctl/profiles.json')).mode & 0o777).toBe(0o600);
  expect(await hubctl(['whoami'], elsewhere)).toContain(ada.email);
  await hubctl(['hubs', 'members', 'add', 'Compiled', ada.email], elsewhere);
  expect(await hubctl(['__complete', 'zsh', 'hubs', 'show', ''], elsewhere)).toContain('Compiled');
  await hubctl(['hubs', 'export', 'Compiled', 'all.json'], elsewhere);
  expect(await Bun.file(folder.file('all.json')).json()).toMatchObject({ hub: { name: 'Compiled' } });

  expect(await hubctl(['backup', 'hub.db'], elsewhere)).toContain('Backed up 2 Hubs with 1 item');
  expect(await hubctl(['restore', 'hub.db', '--data-dir', 'restored'])).toContain('Restored 2 Hubs with 1 item');

  const terminal = openTerminal(`'${outfile}' login ${on.hub.origin} --email ${ada.email}`, elsewhere);
  await terminal.shows('Password:');
  terminal.press(`${ada.password}${KEYS.enter}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('Logged in to');

  const tail = Bun.spawn([outfile, 'tail', 'Compiled', '--json', '--since', 'all'], {
    env: elsewhere,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let seen = '';
  for await (const chunk of tail.stdout) {
    seen += new TextDecoder().decode(chunk);
    if (seen.includes('"text":"Hello"')) break;
  }
  tail.kill('SIGKILL');
  await tail.exited;
}, 60_000);
