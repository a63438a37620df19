import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { resolve } from 'node:path';
import { temporaryFolder, temporaryHome } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';
import { addMember, createUser, newTokenOf, type TestUser } from '@hub/testkit/in-process/users';

const MAIN = resolve(import.meta.dir, '../../main.ts');

const on = sharedHubctl();
const folder = temporaryFolder();
let ada: TestUser;
beforeAll(async () => {
  await on.hub.admin.createHub("Night shift & Ops' own");
  ada = await createUser(on.hub, { name: 'Ada Lovelace' });
  await on.issue('canary-watch');
  // The scripts run the command that they complete. Here, that is the program in this repository.
  await Bun.write(folder.file('hubctl'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(folder.file('hubctl'), 0o755);
});
afterAll(() => folder[Symbol.dispose]());

/** Returns the completions that bash offers for each line, with the default word breaks of bash. */
async function inBash(lines: string[]): Promise<string[][]> {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const commands = lines.map((line) => {
    const words = line.split(' ');
    const set = `COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; COMP_POINT=${line.length}`;
    return `${set}; COMP_LINE=${quoted(line)}; _hubctl; echo "\${COMPREPLY[@]}"`;
  });
  const breaks = `COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'`;
  const { stdout: script } = await runHubctl(['completion', 'bash']);
  const bash = Bun.spawn(['bash', '--norc', '-c', [script, breaks, ...commands].join('\n')], {
    env: { PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path, HUB_ADMIN_SOCKET: on.hub.socketPath },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([bash.stdout.text(), bash.stderr.text()]);
  // Outside a real completion, bash rejects `compopt`, and the script must hide that error.
  expect(errors).toBe('');
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
}

/** Returns the candidates for a shell, without their descriptions. */
async function responded(text: string[], env: Record<string, string> = {}): Promise<string[]> {
  // A busy machine may take longer than a user would wait.
  const sleep = () => new Promise(() => {});
  const ran = await on.hubctl(['__complete', 'zsh', ...text], { env, sleep });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  return ran.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

test('the bash script completes commands, subcommands and options', async () => {
  const expected: Record<string, string[]> = {
    'hubctl keys re': ['replace', 'revoke'],
    'hubctl hubs members a': ['add'],
    'hubctl --json post todo --pri': ['--priority'],
    'hubctl help keys rot': ['rotate'],
    'hubctl completion ': ['bash', 'zsh', 'fish', 'powershell'],
  };
  expect(await inBash(Object.keys(expected))).toEqual(Object.values(expected));
});

describe('__complete', () => {
  test('offers the names of Hubs, users, keys, profiles and invitations where they are expected', async () => {
    await on.hubctl(['users', 'invite', '--email', 'grace@example.org']);
    await on.hub.admin.deleteHub((await on.hub.admin.createHub('Gone')).id);
    const hubs = ["Night shift & Ops' own", 'Releases'];
    for (const [line, expected] of [
      ['hubs edit', hubs],
      ['tail Releases', hubs],
      ['hubs restore', ['Gone']],
      ['--json keys rotate', ['canary-watch']],
      ['users invitations withdraw', ['grace@example.org']],
      ['keys issue --hub Releases --name', []],
    ] as const) {
      expect([line, await responded([...line.split(' '), ''])]).toEqual([line, [...expected]]);
    }
    expect(await responded(['hubs', 'members', 'add', 'Releases', ''])).toContain(ada.email);
  });

  test('offers the ID if a name is ambiguous or looks like an option', async () => {
    const twins = [await on.issue('twin'), await on.issue('twin')];
    const offered = await responded(['keys', 'show', '']);
    expect(offered).not.toContain('twin');
    expect(offered).toEqual(expect.arrayContaining(twins.map(({ id }) => id)));
    const odd = await on.hub.admin.createHub('--help');
    expect(await responded(['hubs', 'show', ''])).toContain(odd.id);
  });

  test('asks the server that the command line selects', async () => {
    using home = temporaryHome();
    const user = await createUser(on.hub, { name: 'Grace' });
    await addMember(on.hub, on.releases.id, user);
    home.give('work', { url: on.hub.url, token: await newTokenOf(on.hub, user) });
    const env = { ...home.env, HUB_ADMIN_SOCKET: '' };
    expect(await responded(['--profile', ''], env)).toEqual(['work']);
    // Members see only their own Hubs.
    expect(await responded(['hubs', 'show', '--profile=work', ''], env)).toEqual(['Releases']);
    expect(await responded(['--local', 'hubs', 'show', ''], { ...env, HUB_DATA_DIR: '/nonexistent' })).toEqual([]);
  });
});
