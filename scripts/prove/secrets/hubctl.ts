import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { type Admin, newTokenOf, REPOSITORY, runProgram, withConcurrency } from '@hub/testkit';
import type { Hunt } from './hunt.ts';

const HUBCTL = join(REPOSITORY, 'apps/cli/src/main.ts');
/** The profile file, relative to the home directory. It contains a token on purpose. */
export const PROFILE_FILE = '.config/hubctl/profiles.json';
/** In the home directory, Bun caches compiled sources, which do not contain any data that the program processes. */
export const WITHOUT_BUN_CACHE = { BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' } as const;
/** Runs a command without a umask, so that files are protected only by the modes that the program itself sets. */
export const WITHOUT_UMASK = ['/bin/sh', '-c', 'umask 0; exec "$@"', 'sh'] as const;

interface Terminal {
  readonly hunt: Hunt;
  readonly admin: Admin;
  readonly hubId: string;
  readonly url: string;
  readonly dataDir: string;
  /** The home and working directory of the commands, which is searched at the end. */
  readonly home: string;
  /** The folder for key files, which is not searched. */
  readonly secretStore: string;
  readonly newPassword: (name: string) => string;
}

interface Typed {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Whether the command prints a secret. It may do so only on standard output. */
  readonly printsSecret?: true;
}

type Run = (argv: readonly string[], expectedCode: number, typed?: Typed) => Promise<string>;

/** Runs hubctl as a process, and records all its output. */
function hubctlOf({ hunt, dataDir, home }: Terminal): Run {
  return async (argv, expectedCode, { env = {}, stdin, printsSecret } = {}) => {
    const what = `hubctl ${argv.slice(0, 3).join(' ')}`.replaceAll(/hub_(live|pat|ses|lnk)_\w+/g, '<secret>');
    const command = [...WITHOUT_UMASK, process.execPath, '--no-env-file', HUBCTL, ...argv];
    const own = { HOME: home, TMPDIR: home, HUB_DATA_DIR: dataDir, ...WITHOUT_BUN_CACHE };
    const { stdout, stderr, code } = await runProgram(command, { cwd: home, env: { ...own, ...env }, stdin });
    hunt.expect(what, expectedCode, code, stderr + (printsSecret ? '' : stdout));
    if (!printsSecret) hunt.note(`what ${what} prints`, stdout);
    hunt.note(`what ${what} prints on stderr`, stderr);
    return stdout;
  };
}

/** Returns the arguments of every process, as `ps` shows them. */
export function processList(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}

/** Runs the commands that print, read or store secrets, some of them with a wrong one. */
export async function exerciseHubctl(terminal: Terminal): Promise<void> {
  const { hunt, admin, hubId, url, secretStore, newPassword } = terminal;
  const run = hubctlOf(terminal);
  const printsSecret = true as const;
  const issue = (name: string) => ['keys', 'issue', '--hub', hubId, '--name', name, '--scopes', 'messages'];
  const issued = JSON.parse(await run([...issue('as JSON'), '--json'], 0, { printsSecret })) as IssuedKey;
  hunt.knowIssued('hubctl keys issue --json', issued);
  hunt.know('hubctl keys rotate', (await run(['keys', 'rotate', issued.id], 0, { printsSecret })).trim());
  await run(['keys', 'show', issued.id, '--json'], 0);

  const keyFile = join(secretStore, 'issued');
  await run([...issue('to a file'), '--out', keyFile], 0);
  const key = hunt.know('hubctl keys issue --out', readFileSync(keyFile, 'utf8').trim());
  const cutFile = join(secretStore, 'cut');
  writeFileSync(cutFile, key.slice(0, -3));
  const commands: [string[], number, Typed?][] = [
    [['post', 'Hello', '--key-file', keyFile, '--url', url, '--json'], 0],
    [['post', 'Hello', '--key-stdin'], 0, { stdin: `${key}\n` }],
    [['post', 'Hello'], 0, { env: { HUB_API_KEY: key } }],
    [['post', 'Hello'], 4, { env: { HUB_API_KEY: key.slice(0, -1) } }],
    [['post', '--key-stdin'], 2, { stdin: key }],
    [['post', 'Hello', '--key-file', cutFile, '--json'], 4],
    [['post', 'Hello', '--key-file', keyFile, '--url', 'http://127.0.0.1:9'], 3],
  ];
  await withConcurrency(commands, ([argv, code, typed]) => run(argv, code, typed), 2);

  const email = 'typist@example.org';
  const password = newPassword('a password for hubctl users create');
  const account = ['--email', email, '--name', 'Typist', '--role', 'member', '--password-stdin'];
  await run(['users', 'create', ...account], 0, { stdin: `${password}\n` });
  const login = (profile: string) => ['login', url, '--with-token', '--profile', profile];
  await run([...login('work'), '--json'], 4, { stdin: newPassword('a wrong token for hubctl login') });
  const token = await newTokenOf({ admin, url }, { id: '', name: 'Typist', email, password });
  const stdin = hunt.know('the token of a login', token);
  // The profile that stays has a token, so that the profile file contains one.
  const other = await newTokenOf({ admin, url }, { id: '', name: 'Typist', email, password });
  await run(login('work'), 0, { stdin: hunt.know('the token of another login', other) });
  await run(login('other'), 0, { stdin });
  await run(['profiles', 'list', '--json'], 0);
  await run(['logout', '--profile', 'other', '--json'], 0);
  const invite = ['users', 'invite', '--email', 'guest@example.org', '--json'];
  const { link } = JSON.parse(await run(invite, 0, { printsSecret })) as { link: string };
  hunt.know('hubctl users invite', link.slice(link.indexOf('#') + 1));
  const reset = await run(['users', 'reset-password', email], 0, { printsSecret });
  hunt.know('hubctl users reset-password', reset.trim().slice(reset.indexOf('#') + 1));
}

/** Takes a backup of the running server and restores it, as an admin would. Both are searched. */
export async function backUpAndRestore(terminal: Terminal, folder: string): Promise<void> {
  const run = hubctlOf(terminal);
  await run(['backup', join(folder, 'backup.db')], 0);
  await run(['restore', join(folder, 'backup.db'), '--data-dir', join(folder, 'restored')], 0);
  terminal.hunt.noteFiles(folder, 'taken and restored by hubctl');
}
