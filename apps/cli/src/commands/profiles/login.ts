import { hasTokenForm, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { type Profile, profileFilePath, readProfiles, writeProfiles } from '../../runtime/profile-file.ts';
import { readPipedSecret } from '../../runtime/read-source.ts';
import { readServerUrl, warnOfPlainHttp } from '../../runtime/server-url.ts';
import { greetServer, profileOf, revokeToken, signIn } from './sign-in.ts';

export interface LoginOptions {
  email?: string;
  passwordStdin?: boolean;
  tokenStdin?: boolean;
}

export function addLogin(program: Command, cli: Cli): void {
  const command = program
    .command('login')
    .description('log in to a server on another machine; asks for what is missing')
    .argument('[url]', 'its address, such as https://hub.example.com')
    .option('--email <address>', 'whose account it is')
    .addOption(new Option('--password-stdin', 'read the password from standard input').conflicts('tokenStdin'))
    .addOption(
      new Option(
        '--token-stdin',
        'read a personal access token from standard input, or ask for it, instead of signing in',
      ).conflicts('email'),
    )
    .action((url: string | undefined, options: LoginOptions) => login(cli, url, options));
  helpNotes(command, {
    prints: 'Who has logged in, and where.\nWith --json: {"profile", "url", "person": {"id", "name", "email"}}.',
    more: {
      title: 'Profiles',
      text:
        'What is kept is a personal access token of its own, not the password: in a file that only\n' +
        'you can read ($XDG_CONFIG_HOME/hubctl/profiles.json, else ~/.config/hubctl/profiles.json).\n' +
        'The profile is named after the host, or as --profile says, and is the current one from now on.',
    },
    exits: ADMIN_EXITS,
    examples: [
      'hubctl login https://hub.example.com',
      'hubctl login https://hub.example.com --profile work --email ada@example.com --password-stdin < password',
      'hubctl login https://hub.example.com --token-stdin < token',
    ],
  });
}

const USAGE = 'Say which server: hubctl login https://hub.example.com';

export async function login(cli: Cli, given: string | undefined, options: LoginOptions): Promise<void> {
  const { env } = cli.deps;
  if (cli.serverFlags.local || cli.serverFlags.dataDir !== undefined) {
    throw usageError('The server on this machine needs no login.', 'Leave out --local and --data-dir.');
  }
  if (profileFilePath(env) === null) throw usageError('There is no folder to keep a login in.', 'Set HOME.');
  // Before anybody types a password: a file that cannot be used would lose what it brings.
  const known = readProfiles(env);
  const chosen = cli.serverFlags.profile ?? env.HUB_PROFILE;
  const former = chosen === undefined ? undefined : known.profiles.get(chosen)?.url;
  const address = await cli.response(given ?? former, USAGE, (prompts) => prompts.text('Address of the server:'));
  const url = readServerUrl(address, 'The address');
  const name = checkedName(chosen ?? new URL(url).host);
  const replaced = known.profiles.get(name);

  const profile = await authenticate(cli, url, options);
  writeProfiles(env, { current: name, profiles: new Map([...known.profiles, [name, profile]]) });
  if (replaced && replaced.url === url && replaced.token !== profile.token) await revokeToken(cli, replaced);
  report(cli, name, profile);
}

async function authenticate(cli: Cli, url: string, options: LoginOptions): Promise<Profile> {
  warnOfPlainHttp(cli.output, url, options.tokenStdin ? 'Your token' : 'Your password');
  if (options.tokenStdin) return await profileOf(cli, url, checkedToken(await readToken(cli)));
  if (!cli.canAsk) requireResponses(options);
  const info = await greetServer(cli, url);
  const email = await cli.response(options.email, MISSING_EMAIL, (prompts) =>
    prompts.text(
      `E-mail at ${new URL(url).host}:`,
      (response) => response !== '' || 'Type the address of your account.',
    ),
  );
  const piped = options.passwordStdin ? await readPipedSecret(cli, '--password-stdin') : undefined;
  const password = await cli.response(piped, MISSING_PASSWORD, (prompts) => prompts.secret('Password:'));
  return await signIn(cli, url, info, { email, password }).catch((error) => {
    throw namingOptions(error, { email: options.email && '--email', password: undefined });
  });
}

/** At a terminal nothing is piped in: it is asked for there, where it stays out of the history of the shell. */
async function readToken(cli: Cli): Promise<string> {
  if (!cli.canAsk) return await readPipedSecret(cli, '--token-stdin');
  return await cli.deps.prompts.secret(`Access token (${PERSONAL_TOKEN_PREFIX}…):`);
}

const MISSING_EMAIL = 'Say whose account it is: --email ADDRESS';
const MISSING_PASSWORD = 'Pipe the password in with --password-stdin, or a personal access token with --token-stdin.';

/** What is wrong on the command line is said before the server is asked anything. */
function requireResponses({ email, passwordStdin }: LoginOptions): void {
  if (!passwordStdin) throw usageError(MISSING_PASSWORD);
  if (email === undefined) throw usageError(MISSING_EMAIL);
}

/** What is no token is not sent: it may be some other secret. Its text is never repeated. */
function checkedToken(text: string): string {
  const token = text.trim();
  if (hasTokenForm(PERSONAL_TOKEN_PREFIX, token)) return token;
  throw new CliError('unauthenticated', EXIT.notAllowed, 'That is no personal access token. Nothing was sent.', {
    hint: `One begins with ${PERSONAL_TOKEN_PREFIX} and was shown when it was made.`,
  });
}

/** A name is typed in shells and stands in a JSON file. */
function checkedName(name: string): string {
  if (/^[\w.:[\]-]{1,100}$/.test(name) && !name.startsWith('-')) return name;
  throw usageError(
    'The name of a profile is made of letters, digits and . _ - : alone.',
    'For example: --profile work',
  );
}

function report(cli: Cli, name: string, { url, person: user }: Profile): void {
  if (cli.json) cli.output.document({ profile: name, url, person: user });
  else cli.output.line(`Logged in to ${url} as `, styled('bold', user.name), ` (${user.email}).`);
  cli.output.note(styled('dim', `The profile "${name}" is the current one: hubctl commands speak to ${url} now.`));
  const { HUB_DATA_DIR, HUB_ADMIN_SOCKET, HUB_PROFILE } = cli.deps.env;
  if (HUB_PROFILE && HUB_PROFILE !== name) {
    cli.output.warn(`HUB_PROFILE is set to "${HUB_PROFILE}" and goes before. Unset it, or add --profile ${name}.`);
  } else if (!HUB_PROFILE && (HUB_DATA_DIR || HUB_ADMIN_SOCKET)) {
    const variable = HUB_DATA_DIR ? 'HUB_DATA_DIR' : 'HUB_ADMIN_SOCKET';
    cli.output.warn(`${variable} is set and names the server on this machine. Unset it, or add --profile ${name}.`);
  }
}
