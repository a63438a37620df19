import { expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { KEYS, openTerminal } from '@hub/testkit/cli/terminal';
import { createUser } from '@hub/testkit/in-process/users';
import { buildVersion } from '../../scripts/build-version.ts';

const { PATH = '' } = process.env;
const PROGRAMS = [
  { name: 'the compiled file', target: [], command: (file: string) => [file] },
  { name: 'the module for Node', target: ['--target', 'node'], command: (file: string) => ['node', file] },
] as const;

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
  const ran = Bun.spawnSync(argv, {
    cwd: folder.path,
    env: { PATH, HUB_API_KEY: buildToken(KEY_PREFIX, 'b3'.repeat(17)) },
  });
  expect(JSON.parse(ran.stdout.toString()).error.message).toStartWith('No server found at ');
  // A bin would start Bun without these flags.
  expect(await Bun.file(resolve(import.meta.dir, 'package.json')).json()).not.toHaveProperty('bin');
});

test.each(PROGRAMS)(
  '$name runs every kind of command without the repository, and ignores .env and bunfig.toml in the current folder',
  async ({ target, command }) => {
    const isForNode = target.length > 0;
    using folder = temporaryFolder();
    const outfile = folder.file('hubctl.mjs');
    const script = resolve(import.meta.dir, 'build.ts');
    const build = Bun.spawnSync([process.execPath, script, '--outfile', outfile, ...target]);
    expect(build.exitCode).toBe(0);

    await using on = await startHubctl();
    await addHostileFiles(folder);
    const hubctl = async (argv: string[], env: Record<string, string> = {}, input = '') => {
      const ran = Bun.spawn([...command(outfile), ...argv], {
        cwd: folder.path,
        env: { PATH, HUB_ADMIN_SOCKET: on.hub.socketPath, ...env },
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
    const over = { HUB_ADMIN_SOCKET: '', HUB_API_KEY: key, HUB_URL: on.hub.url };
    expect(await hubctl(['post', '-'], over, '**Piped** ümlaut\n')).toContain(`${on.hub.url}/p/msg_`);
    const { error } = JSON.parse(await hubctl(['post', 'x', '--json'], { ...over, HUB_URL: 'http://127.0.0.1:1' }));
    expect(error).toMatchObject({ code: 'unreachable', exitCode: 3 });
    expect(await hubctl(['completion', 'bash'])).toContain('complete -F _hubctl hubctl');

    // Simulate another machine, which has no admin socket.
    const ada = await createUser(on.hub, { role: 'owner' });
    const elsewhere = { PATH, HUB_ADMIN_SOCKET: '', HOME: folder.path };
    const login = ['login', on.hub.origin, '--email', ada.email, '--password-stdin', '--profile', 'work'];
    expect(await hubctl(login, elsewhere, ada.password)).toContain(`as ${ada.name} (${ada.email}).`);
    expect(statSync(folder.file('.config/hubctl/profiles.json')).mode & 0o777).toBe(0o600);
    expect(await hubctl(['whoami'], elsewhere)).toContain(ada.email);
    await hubctl(['hubs', 'members', 'add', 'Compiled', ada.email], elsewhere);
    expect(await hubctl(['__complete', 'zsh', 'hubs', 'show', ''], elsewhere)).toContain('Compiled');
    await hubctl(['hubs', 'export', 'Compiled', 'all.json'], elsewhere);
    expect(await Bun.file(folder.file('all.json')).json()).toMatchObject({ hub: { name: 'Compiled' } });

    if (isForNode) {
      for (const argv of [
        ['backup', 'hub.db'],
        ['restore', 'hub.db', '--data-dir', 'restored'],
      ]) {
        const { error } = JSON.parse(await hubctl([...argv, '--json'], elsewhere));
        expect(error).toMatchObject({
          code: 'unsupported',
          message: expect.stringContaining(`${argv[0]} needs SQLite`),
        });
      }
      expect(readdirSync(folder.path).filter((name) => /hub\.db|restored/.test(name))).toEqual([]);
    } else {
      expect(await hubctl(['backup', 'hub.db'], elsewhere)).toContain('Backed up 2 Hubs with 2 items');
      expect(await hubctl(['restore', 'hub.db', '--data-dir', 'restored'])).toContain('Restored 2 Hubs with 2 items');
    }

    const quoted = command(outfile)
      .map((word) => `'${word}'`)
      .join(' ');
    const terminal = await openTerminal(`${quoted} login ${on.hub.origin} --email ${ada.email}`, elsewhere);
    await terminal.shows('Password:');
    terminal.press(`${ada.password}${KEYS.enter}`);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain('Logged in to');

    for (const [live, env] of [
      ['network', elsewhere],
      ['socket', { PATH, HUB_ADMIN_SOCKET: on.hub.socketPath }],
    ] as const) {
      const tail = Bun.spawn([...command(outfile), 'tail', 'Compiled', '--since', 'all'], {
        env,
        stdout: 'pipe',
        stderr: 'inherit',
      });
      let seen = '';
      for await (const chunk of tail.stdout) {
        const wasShown = seen.includes('Piped');
        seen += new TextDecoder().decode(chunk);
        if (!wasShown && seen.includes('Piped')) await hubctl(['post', `Over the ${live}`], { HUB_API_KEY: key });
        if (seen.includes(`Over the ${live}`)) break;
      }
      expect(seen).toContain(isForNode ? ' **Piped** ümlaut' : ' Piped ümlaut');
      tail.kill('SIGTERM');
      expect(await tail.exited).toBe(0);
    }
  },
  // It starts some 30 processes, on a busy machine for several seconds each.
  180_000,
);
