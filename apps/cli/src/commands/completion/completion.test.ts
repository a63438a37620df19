import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { resolve } from 'node:path';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { type HubctlOnHub, startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';
import { createUser, type TestUser } from '@hub/testkit/in-process/users';

const MAIN = resolve(import.meta.dir, '../../main.ts');

let on: HubctlOnHub;
let ada: TestUser;
const folder = temporaryFolder();
beforeAll(async () => {
  on = await startHubctl();
  await on.hub.admin.createHub("Night shift & Ops' own");
  ada = await createUser(on.hub, { name: 'Ada Lovelace' });
  await on.issue('canary-watch');
  // The scripts run the command that they complete. Here, that is the program in this repository.
  await Bun.write(folder.file('hubctl'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(folder.file('hubctl'), 0o755);
});
afterAll(async () => {
  folder[Symbol.dispose]();
  await on.stop();
});

async function script(shell: string): Promise<string> {
  const ran = await runHubctl(['completion', shell]);
  if (ran.code !== 0) throw new Error(ran.stderr);
  return ran.stdout;
}

const environment = () => ({
  PATH: `${folder.path}:${process.env.PATH}`,
  HOME: folder.path,
  HUB_ADMIN_SOCKET: on.hub.socketPath,
});

/** Returns the completions that bash offers for a line, with the default word breaks of bash. */
async function inBash(line: string, cwd = '/'): Promise<string[]> {
  const text = line.split(' ');
  const lines = [
    await script('bash'),
    `COMP_WORDS=(${text.map(quoted).join(' ')})`,
    `COMP_CWORD=${text.length - 1}; COMP_LINE=${quoted(line)}; COMP_POINT=${line.length}`,
    `COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'; _hubctl; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const bash = Bun.spawn(['bash', '--norc', '-c', lines.join('\n')], {
    cwd,
    env: environment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  // Outside a real completion, bash rejects `compopt`, and the script must hide that error.
  expect(await bash.stderr.text()).toBe('');
  return (await bash.stdout.text()).split('\n').filter((each) => each !== '');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the candidates for a shell, without their descriptions. */
async function responded(text: string[], env: Record<string, string> = {}): Promise<string[]> {
  const ran = await on.hubctl(['__complete', 'zsh', ...text], { env });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  return ran.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

describe.skipIf(!Bun.which('bash'))('the bash script', () => {
  test('completes commands, subcommands and options', async () => {
    expect(await inBash('hubctl k')).toEqual(['keys']);
    expect(await inBash('hubctl keys re')).toEqual(['replace', 'revoke', 'remove-posts']);
    expect(await inBash('hubctl hubs members a')).toEqual(['add']);
    expect(await inBash('hubctl keys issue --ex')).toEqual(['--expires-in', '--expires-at']);
    expect(await inBash('hubctl --json post todo --pri')).toEqual(['--priority']);
    expect(await inBash('hubctl he')).toEqual(['help']);
    expect(await inBash('hubctl help ke')).toEqual(['keys']);
    expect(await inBash('hubctl help keys rot')).toEqual(['rotate']);
    expect(await inBash('hubctl completion ')).toEqual(['bash', 'zsh', 'fish']);
  });
});

/** Types into zsh once it prompts, and resolves when the text is on the screen. */
async function zshShows(expected: string, keys: string): Promise<void> {
  let screen = '';
  let isTyped = false;
  const seen = Promise.withResolvers<void>();
  const zsh = Bun.spawn(['zsh', '-i'], {
    env: { ...environment(), TERM: 'xterm', ZDOTDIR: folder.path },
    terminal: {
      cols: 120,
      rows: 24,
      data: (terminal, bytes) => {
        screen += new TextDecoder().decode(bytes);
        if (!isTyped && screen.includes('READY')) terminal.write(keys);
        isTyped ||= screen.includes('READY');
        if (Bun.stripANSI(screen).includes(expected)) seen.resolve();
      },
    },
  });
  await seen.promise;
  zsh.kill('SIGKILL');
  await zsh.exited;
}

test.skipIf(!Bun.which('zsh'))('zsh completes commands and names at its prompt', async () => {
  await Bun.write(folder.file('hubctl.zsh'), await script('zsh'));
  await Bun.write(folder.file('.zshrc'), 'autoload -U compinit; compinit -u; source ~/hubctl.zsh; PS1=READY\n');
  // The typed characters stay on the screen; the shell draws only the rest.
  await zshShows(String.raw`ight\ shift\ \&\ Ops\'\ own`, 'hubctl hubs sh\tN\t');
  await zshShows(ada.email.slice(3), `hubctl users show ${ada.email.slice(0, 3)}\t`);
});

test.skipIf(!Bun.which('fish'))('fish completes commands and names', async () => {
  await Bun.write(folder.file('hubctl.fish'), await script('fish'));
  const complete = async (line: string) => {
    const fish = Bun.spawn(
      ['fish', '--no-config', '-c', `source ${folder.file('hubctl.fish')}; complete -C '${line}'`],
      { env: environment(), stdout: 'pipe', stderr: 'pipe' },
    );
    expect(await fish.stderr.text()).toBe('');
    return (await fish.stdout.text()).split('\n').filter((each) => each !== '');
  };
  expect(await complete('hubctl hubs sh')).toEqual(['show\tShow a Hub']);
  expect(await complete('hubctl hubs show N')).toEqual(["Night shift & Ops' own\tNight shift & Ops' own"]);
  expect(await complete('hubctl users show ')).toContain(`${ada.email}\tAda Lovelace`);
  expect(await complete('hubctl keys list --state ro')).toEqual(['rotated']);
});

describe('__complete', () => {
  test('offers the names of Hubs, users, keys, profiles and invitations where they are expected', async () => {
    await on.hubctl(['users', 'invite', '--email', 'grace@example.org']);
    const gone = await on.hub.admin.createHub('Gone');
    await on.hubctl(['hubs', 'delete', gone.id, '--yes']);
    expect(await responded(['hubs', 'rename', ''])).toEqual(["Night shift & Ops' own", 'Releases']);
    expect(await responded(['tail', 'Releases', ''])).toEqual(["Night shift & Ops' own", 'Releases']);
    expect(await responded(['hubs', 'restore', ''])).toEqual(['Gone']);
    expect(await responded(['hubs', 'members', 'add', 'Releases', ''])).toContain(ada.email);
    expect(await responded(['--json', 'keys', 'rotate', ''])).toEqual(['canary-watch']);
    expect(await responded(['users', 'invitations', '--withdraw', ''])).toEqual(['grace@example.org']);
    expect(await responded(['keys', 'issue', '--hub', 'Releases', '--name', ''])).toEqual([]);
    expect(await responded(['hubs', 'rename', 'Releases', ''])).toEqual([]);
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
    using home = temporaryFolder();
    const user = await createUser(on.hub, { name: 'Grace' });
    await on.hubctl(['hubs', 'members', 'add', 'Releases', user.email]);
    const env = { HOME: home.path, HUB_ADMIN_SOCKET: '' };
    const login = ['login', on.hub.origin, '--profile', 'work', '--email', user.email, '--password-stdin'];
    expect((await on.hubctl(login, { env, stdin: user.password })).stderr).toContain('the profile "work"');
    expect(await responded(['--profile', ''], env)).toEqual(['work']);
    // Members see only their own Hubs.
    expect(await responded(['hubs', 'show', '--profile=work', ''], env)).toEqual(['Releases']);
    expect(await responded(['--local', 'hubs', 'show', ''], { ...env, HUB_DATA_DIR: '/nonexistent' })).toEqual([]);
  });
});
