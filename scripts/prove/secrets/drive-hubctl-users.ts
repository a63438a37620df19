import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildToken, LINK_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import type { Admin } from '@hub/testkit';
import { newPassword, secretOf } from './drive-users.ts';
import type { Run, Terminal } from './hubctl-process.ts';

export interface HubctlExercise extends Terminal {
  readonly admin: Admin;
  readonly hubId: string;
  readonly url: string;
  /** The folder for key files, which is not searched. */
  readonly secretStore: string;
}

/** The profile file, relative to the home directory. It contains a token on purpose. */
export const PROFILE_FILE = '.config/hubctl/profiles.json';

/** Creates and uses accounts, logins and links on the command line. */
export async function exerciseHubctlUsers(exercise: HubctlExercise, run: Run): Promise<void> {
  await driveLogins(exercise, run);
  await driveLinks(exercise, run);
  await exerciseMistakes(exercise, run);
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
async function exerciseMistakes(exercise: HubctlExercise, run: Run): Promise<void> {
  const { hunt, url } = exercise;
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
  hunt.expect('mistakes were made', true, mistakes.length + passwords.length > 0);
}
