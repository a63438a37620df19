import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import packageJson from './package.json' with { type: 'json' };
import { startHubctl } from './src/testing/hubctl-on-hub.ts';
import { temporaryFolder } from './src/testing/temporary-folder.ts';

test('the compiled file works alone: it knows its version, administers, posts, and trusts no .env around it', async () => {
  using folder = temporaryFolder();
  const outfile = folder.file('hubctl');
  const build = Bun.spawnSync([process.execPath, resolve(import.meta.dir, 'build.ts'), '--outfile', outfile]);
  expect(build.exitCode).toBe(0);

  await using on = { ...(await startHubctl()), [Symbol.asyncDispose]: () => on.stop() };
  await Bun.write(folder.file('.env'), 'HUB_URL=http://127.0.0.1:1\n');
  const hubctl = async (argv: string[], env: Record<string, string> = {}) => {
    const ran = Bun.spawn([outfile, ...argv], {
      cwd: folder.path,
      env: { HUB_ADMIN_SOCKET: on.hub.socketPath, ...env },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    return (await ran.stdout.text()).trimEnd();
  };
  expect(await hubctl(['--version'])).toBe(packageJson.version);
  expect(JSON.parse(await hubctl(['hubs', 'create', 'Compiled', '--json']))).toMatchObject({ name: 'Compiled' });
  const issue = ['keys', 'issue', '--hub', 'Compiled', '--name', 'ci', '--scopes', 'messages', '--json'];
  const { key } = JSON.parse(await hubctl(issue));
  expect(await hubctl(['post', 'Hello'], { HUB_API_KEY: key })).toContain(`${on.hub.url}/p/msg_`);
  expect(await hubctl(['completion', 'bash'])).toContain('complete -F _hubctl hubctl');
}, 60_000);
