import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildToken, type IssuedKey, LINK_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import { type Admin, ALL_SCOPES } from '@hub/testkit';
import { newPassword, secretOf } from './drive-users.ts';
import { hubctl, openToOthers, type Run, type Terminal, typeIntoShell } from './hubctl-process.ts';
import type { Drive, Folders } from './hunt.ts';

export async function exerciseHubctl(exercise: HubctlExercise): Promise<void> {
  const run = hubctl(exercise);
  await driveKeyCommands(exercise, run);
  await drivePosts(exercise, run);
  await exerciseHubctlUsers(exercise, run);
  await exerciseMistakes(exercise, run);
}

async function driveKeyCommands({ hunt, hubId, secretStore }: HubctlExercise, run: Run): Promise<void> {
  const issue = (name: string) => ['keys', 'issue', '--hub', hubId, '--name', name, '--scopes', 'messages'];
  const printsSecret = true as const;
  const issued = JSON.parse(await run([...issue('as JSON'), '--json'], 0, { printsSecret })) as IssuedKey;
  hunt.knowIssued('hubctl keys issue --json', issued);
  hunt.know('hubctl keys issue', (await run(issue('plain'), 0, { printsSecret })).trim());
  const out = join(secretStore, 'issued');
  await run([...issue('to a file'), '--out', out], 0);
  hunt.know('hubctl keys issue --out', readFileSync(out, 'utf8').trim());
  await run([...issue('to a file again'), '--out', out], 2);
  const rotated = JSON.parse(await run(['keys', 'rotate', issued.id, '--json'], 0, { printsSecret })) as IssuedKey;
  hunt.knowIssued('hubctl keys rotate', rotated);
  hunt.know('hubctl keys replace', (await run(['keys', 'replace', rotated.id], 0, { printsSecret })).trim());
  await run(['keys', 'rotate', issued.id], 1);
  for (const extra of [[], ['--json']]) {
    await run(['keys', 'list', ...extra], 0);
    await run(['keys', 'show', issued.id, ...extra], 0);
    await run(['keys', 'revoke', issued.id, '--yes', ...extra], 0);
  }
}

async function drivePosts({ hunt, admin, hubId, url, secretStore }: HubctlExercise, run: Run): Promise<void> {
  const keyInFile = async (name: string, change = (key: string) => key, scopes = ALL_SCOPES) => {
    const { key } = await admin.issueKey({ hubId, name, scopes });
    const file = join(secretStore, name.replaceAll(' ', '-'));
    writeFileSync(file, change(hunt.know(name, key)));
    return { file, key };
  };
  const right = await keyInFile('a key in a file');
  for (const extra of [[], ['--json'], ['--url', url]])
    await run(['post', 'Hello', '--key-file', right.file, ...extra], 0);
  await run(['post', 'note', 'Hello', '--key-file', right.file], 0);
  await run(['post', 'Hello', '--key-stdin'], 0, { stdin: `${right.key}\n` });
  await run(['post', 'Hello'], 0, { env: { HUB_API_KEY: right.key }, shown: 'environment' });

  const cut = await keyInFile('a key cut short', (key) => key.slice(0, -3));
  const lacking = await keyInFile('a key without the scope', (key) => key, ['todos:create']);
  const unknown = await keyInFile('a key with words around it', (key) => `HUB_API_KEY=${key}\n`);
  for (const extra of [[], ['--json'], ['--soft-fail']]) {
    for (const { file } of [cut, lacking, unknown]) {
      await run(['post', 'Hello', '--key-file', file, ...extra], extra[0] === '--soft-fail' ? 0 : 4);
    }
    const absent = ['--url', 'http://127.0.0.1:9', ...extra];
    await run(['post', 'Hello', '--key-file', right.file, ...absent], extra[0] === '--soft-fail' ? 0 : 3);
  }
  await run(['post', '--key-stdin'], 2, { stdin: right.key });
  const cutInEnvironment = { env: { HUB_API_KEY: cut.key.slice(0, -1) }, shown: 'environment' } as const;
  await run(['post', 'Hello'], 4, cutInEnvironment);
}

/** Passes keys where other users see them and the shell records them. `hubctl` must at least not echo them. */
async function exerciseMistakes({ hunt, admin, hubId }: HubctlExercise, run: Run): Promise<void> {
  const mistakes: [string, (key: string) => string[]][] = [
    ['as the text', (key) => ['post', key]],
    ['behind the text', (key) => ['post', 'Hello', key]],
    ['as an option', (key) => ['post', 'Hello', '--key', key]],
    ['as the value of an option', (key) => ['post', 'Hello', `--key-file=${key}`]],
    ['as the name of a file', (key) => ['post', '--file', key]],
    ['in an address', (key) => ['post', 'Hello', '--url', `https://hub.example.com/?key=${key}`]],
    ['as a password in an address', (key) => ['post', 'Hello', '--url', `https://ci:${key}@hub.example.com`]],
    ['as a command', (key) => [key]],
    ['as a key to show', (key) => ['keys', 'show', key]],
    ['as a key to revoke', (key) => ['keys', 'revoke', key, '--yes', '--json']],
    ['cut short', (key) => ['post', 'Hello', '--key', key.slice(0, 35)]],
  ];
  for (const [name, argv] of mistakes) {
    const { key } = await admin.issueKey({ hubId, name });
    await run(argv(hunt.know(`a key ${name}`, key)), 2, { shown: 'arguments' });
  }
  const { key } = await admin.issueKey({ hubId, name: 'as the address' });
  hunt.know('a key as the address', key);
  await run(['post', 'Hello'], 2, { env: { HUB_URL: key, HUB_API_KEY: key }, shown: 'environment' });
}

interface HubctlExercise extends Terminal {
  readonly admin: Admin;
  readonly hubId: string;
  readonly url: string;
  /** The folder for key files, which is not searched. */
  readonly secretStore: string;
}

/** The profile file, relative to the home directory. It contains a token on purpose. */
export const PROFILE_FILE = '.config/hubctl/profiles.json';

/** Creates and uses accounts, logins and links on the command line. */
async function exerciseHubctlUsers(exercise: HubctlExercise, run: Run): Promise<void> {
  await driveLogins(exercise, run);
  await driveLinks(exercise, run);
  await exerciseUserMistakes(exercise, run);
}

async function driveLogins(exercise: HubctlExercise, run: Run): Promise<void> {
  const { hunt, url } = exercise;
  const email = 'typist@example.org';
  const password = newPassword(exercise, 'a password for hubctl users create');
  const account = ['--email', email, '--name', 'Typist', '--role', 'member', '--password-stdin'];
  await run(['users', 'create', ...account], 0, { stdin: `${password}\n` });
  await run(['users', 'create', ...account, '--json'], 1, { stdin: password });

  const login = ['login', url, '--email', email, '--password-stdin', '--profile', 'work'];
  await run(login, 0, { stdin: `${password}\n` });
  const first = hunt.know('the token of a login', tokenIn(exercise));
  const asWork = ['--profile', 'work'];
  for (const command of [['whoami'], ['hubs', 'list'], ['profiles', 'list']]) {
    for (const extra of [[], ['--json']]) await run([...command, ...extra, ...asWork], 0);
  }
  await run(['users', 'list', ...asWork], 0);
  const wrong = newPassword(exercise, 'a wrong password for hubctl login');
  for (const extra of [[], ['--json']]) await run([...login, ...extra], 4, { stdin: wrong });

  const otherLogin = ['login', url, '--token-stdin', '--profile', 'other'];
  await run(otherLogin, 0, { stdin: first });
  await run(['logout', '--profile', 'other'], 0);
  await run(['logout', ...asWork], 0);
  // This token was revoked when the profile that had created it logged out.
  await run(otherLogin, 4, { stdin: first });
  await run(otherLogin, 4, { stdin: first.slice(0, -1) });
  // The last profile stays, so that the profile file contains a token.
  await run(login, 0, { stdin: password });
  hunt.know('the token of another login', tokenIn(exercise));
}

function tokenIn({ home }: HubctlExercise): string {
  const { profiles } = JSON.parse(readFileSync(join(home, PROFILE_FILE), 'utf8')) as {
    profiles: Record<string, { token: string }>;
  };
  return profiles.work?.token ?? '';
}

async function driveLinks({ hunt }: HubctlExercise, run: Run): Promise<void> {
  const invite = ['users', 'invite', '--email', 'guest@example.org'];
  const know = (name: string, link: string): string => hunt.know(name, secretOf(link.trim()));
  know('hubctl users invite', await run(invite, 0, { printsSecret: true }));
  const asJson = await run([...invite, '--json'], 0, { printsSecret: true });
  know('hubctl users invite --json', (JSON.parse(asJson) as { link: string }).link);
  const reset = ['users', 'reset-password', 'typist@example.org'];
  know('hubctl users reset-password', await run(reset, 0, { printsSecret: true }));
  // There is already an owner.
  await run(['setup-link'], 1);
}

/** Passes secrets where other users see them and the shell records them. `hubctl` must at least not echo them. */
async function exerciseUserMistakes(exercise: HubctlExercise, run: Run): Promise<void> {
  const { url } = exercise;
  const mistakes: [string, string, (secret: string) => string[]][] = [
    ['token', PERSONAL_TOKEN_PREFIX, (token) => ['login', url, '--token-stdin', token]],
    ['token in an address', PERSONAL_TOKEN_PREFIX, (token) => ['login', `http://x:${token}@127.0.0.1/`]],
    ['link to redeem', LINK_PREFIX, (link) => ['login', `${url}/join#${link}`]],
    ['session', SESSION_PREFIX, (session) => ['status', '--cookie', session]],
  ];
  for (const [name, prefix, argv] of mistakes) {
    const secret = buildToken(prefix, newPassword(exercise, `the random part of a ${name} on the command line`));
    await run(argv(secret), 2, { shown: 'arguments' });
  }
  const passwords: [string, (password: string) => string[]][] = [
    ['in an option', (password) => ['login', url, '--email', 'a@example.org', '--password', password]],
    ['in an option with =', (password) => ['login', url, `--password=${password}`]],
    ['behind --password-stdin', (password) => ['login', url, '--email', 'a@example.org', '--password-stdin', password]],
  ];
  for (const [name, argv] of passwords) {
    await run(argv(newPassword(exercise, `a password ${name}`)), 2, { shown: 'arguments' });
  }
}

/**
 * Takes a backup of the running server and restores it, as an admin would. Both the backup and the restored folder are
 * searched. Returns the files that other users may read.
 */
export async function exerciseBackup(terminal: Terminal, folder: string): Promise<string[]> {
  mkdirSync(folder, { mode: 0o700 });
  const run = hubctl(terminal);
  await run(['backup', join(folder, 'backup.db')], 0);
  await run(['restore', join(folder, 'backup.db'), '--data-dir', join(folder, 'restored')], 0);
  terminal.hunt.noteFiles(folder, 'taken and restored by hubctl');
  return openToOthers(folder);
}

/**
 * Uses hubctl as docs/hubctl.md describes: secrets come from files and from standard input. One is passed in a
 * forbidden way.
 */
export async function typeCommands(exercise: Drive, { dataDir, home, secretStore }: Folders): Promise<string> {
  const { hunt, server, hubId, url } = exercise;
  const { admin } = server;
  const { key } = await admin.issueKey({ hubId, name: 'typed' });
  const { key: typed } = await admin.issueKey({ hubId, name: 'typed as an argument' });
  const password = newPassword(exercise, 'a password that is typed');
  await admin.call('POST', '/users', { email: 'shell@example.org', name: 'Shell', password });
  writeFileSync(join(secretStore, 'key'), hunt.know('a key that is typed', key));
  writeFileSync(join(secretStore, 'password'), password);
  const history = await typeIntoShell({ hunt, dataDir, home }, [
    `hubctl post "From a file" --key-file ${secretStore}/key`,
    `hubctl post "From standard input" --key-stdin < ${secretStore}/key`,
    `HUB_API_KEY="$(cat ${secretStore}/key)" hubctl post "From the environment"`,
    `hubctl login ${url} --email shell@example.org --password-stdin --profile shell < ${secretStore}/password`,
    'hubctl whoami --profile shell && hubctl logout --profile shell',
    `hubctl post ${typed}`,
  ]);
  hunt.expect('the history holds what was typed', true, history.includes('--password-stdin'));
  return typed;
}
