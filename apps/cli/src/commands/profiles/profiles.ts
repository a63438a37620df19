import { PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, LOCAL_EXITS } from '../../runtime/command-line.ts';
import { checkedToken, findProfile } from '../../runtime/connection.ts';
import { CliError, failed, usageError } from '../../runtime/errors.ts';
import { readPipedSecret } from '../../runtime/files.ts';
import { readServerUrl, warnOfPlainHttp, withScheme } from '../../runtime/network.ts';
import { styled } from '../../runtime/output.ts';
import { type Profile, profileFilePath, readProfiles, writeProfiles } from '../../runtime/profile-file.ts';
import { type Column, freeText, printFields, printList } from '../../runtime/table.ts';
import { confirmInBrowser, greetServer, profileOf, revokeToken } from './sign-in.ts';

/** Adds `login`, `logout`, `whoami` and the commands for profiles. */
export function addProfileCommands(program: Command, cli: Cli): void {
  addCommand(program, 'login', {
    about: 'Log in to a server on another machine, with your browser',
    prints: 'The account and the server.\nWith --json: {"profile", "url", "user": {"id", "name", "email"}}.',
    more: {
      title: 'Profiles',
      text:
        'You confirm a short code in your browser. The personal access token of this machine is saved in a file that only\n' +
        'you can read\n' +
        '($XDG_CONFIG_HOME/hubctl/profiles.json, else ~/.config/hubctl/profiles.json).\n' +
        'The profile is named after the host unless you set --profile, and becomes the current profile.',
    },
    examples: [
      'hubctl login https://hub.example.com',
      'hubctl login https://hub.example.com --profile work',
      'hubctl login https://hub.example.com --with-token < token     # in CI',
    ],
  })
    .argument('[url]', 'Server URL, such as https://hub.example.com; without a scheme, https')
    .option('--with-token', 'Read a personal access token from standard input, or prompt for it')
    .action((url, { withToken }) => login(cli, url, withToken));

  addCommand(program, 'logout', {
    about: 'Log out: revoke the token of a profile and remove the profile',
    prints:
      'The removed profile.\n' +
      'With --json: {"profile", "url", "tokenRevoked"}. A token from --with-token is not revoked.',
    examples: ['hubctl logout', 'hubctl logout --profile work'],
  }).action(() => logout(cli));

  addCommand(program, 'whoami', {
    about: 'Show the current server and account',
    prints:
      'The server and the account.\n' +
      'With --json: {"kind": "user", "profile", "url", "user": {"id", "name", "email", "role"}},\n' +
      'or {"kind": "local", "socketPath", "url"} for the local admin.',
    examples: ['hubctl whoami', 'hubctl whoami --profile work --json'],
  }).action(() => whoami(cli));

  const profiles = program.command('profiles').description('Manage the servers you are logged in to');

  addCommand(
    profiles,
    'list',
    {
      about: 'List the servers you are logged in to',
      prints:
        'A table of profiles. The current profile is marked with *.\n' +
        'With --json: {"items": [{"name", "url", "user", "isCurrent"}]}, never a token.',
      exits: LOCAL_EXITS,
      examples: ['hubctl profiles', 'hubctl profiles list --json'],
    },
    { isDefault: true },
  ).action(() => {
    const { current, profiles } = readProfiles(cli.deps.env);
    const items = [...profiles].map(([name, { url, user }]) => ({ name, url, user, isCurrent: name === current }));
    const columns: Column<(typeof items)[number]>[] = [
      { title: '', cell: (row) => (row.isCurrent ? styled('green', '*') : ' ') },
      { title: 'NAME', cell: (row) => row.name },
      { title: 'SERVER', cell: (row) => row.url },
      { title: 'AS', cell: (row) => freeText(`${row.user.name} (${row.user.email})`) },
    ];
    const none = 'Not logged in to any server. Commands use the server on this machine. To log in: hubctl login URL';
    printList(cli.output, columns, items, none);
  });

  addCommand(profiles, 'use', {
    about: 'Set the current profile',
    prints: 'The server that commands now use.\nWith --json: {"profile", "url", "user"}.',
    exits: LOCAL_EXITS,
    examples: ['hubctl profiles use work', 'hubctl --local status     # for one command: the server on this machine'],
  })
    .argument('[profile]', 'Profile name')
    .action(async (given) => {
      const saved = readProfiles(cli.deps.env);
      if (saved.profiles.size === 0)
        throw failed('not_found', 'Not logged in to any server.', 'To log in: hubctl login URL');
      const choices = [...saved.profiles].map(([value, { url }]) => ({ name: value, value, description: url }));
      const name = await cli.valueOrPrompt(given, (prompts) => prompts.choose('Which profile?', choices));
      const { url, user } = findProfile(saved, name);
      await writeProfiles(cli.deps.env, { ...saved, current: name });
      cli.output.result({ profile: name, url, user }, `Now using ${url} as ${user.name} (${user.email}).`);
    });
}

async function login(cli: Cli, given: string | undefined, withToken: true | undefined): Promise<void> {
  const { env } = cli.deps;
  if (cli.serverFlags.local || cli.serverFlags.dataDir !== undefined) {
    throw usageError('The server on this machine needs no login.', 'Remove --local and --data-dir.');
  }
  if (profileFilePath(env) === null) throw usageError('No directory to save the login in.', 'Set HOME.');
  // Read the file before any password prompt, so that an unusable file fails early.
  const saved = readProfiles(env);
  const chosen = cli.serverFlags.profile ?? env.HUB_PROFILE;
  const former = chosen === undefined ? undefined : saved.profiles.get(chosen)?.url;
  const address = await cli.text(given ?? former, 'Server URL:');
  const url = readServerUrl(withScheme(address), 'The URL');
  if (withScheme(address) !== address) cli.output.note(`Using ${url}`);
  const name = chosen ?? new URL(url).host;
  if (!/^(?!-)[\w.:[\]-]{1,100}$/.test(name))
    throw usageError('Profile names can contain only letters, digits and . _ - :', 'For example: --profile work');
  const replaced = saved.profiles.get(name);

  const profile = await authenticate(cli, url, withToken);
  await writeProfiles(env, { current: name, profiles: new Map([...saved.profiles, [name, profile]]) });
  if (replaced && replaced.url === url && replaced.token !== profile.token) await revokeToken(cli, replaced);
  report(cli, name, profile);
}

async function authenticate(cli: Cli, url: string, withToken: true | undefined): Promise<Profile> {
  warnOfPlainHttp(cli.output, url, 'Your token');
  if (!withToken) {
    if (!cli.canAsk) throw usageError('There is no terminal. Add --with-token, and pipe in a personal access token.');
    await greetServer(cli, url);
    return await confirmInBrowser(cli, url);
  }
  // A prompt keeps the token out of the shell's history.
  const given = cli.canAsk
    ? await cli.deps.prompts.secret(`Access token (${PERSONAL_TOKEN_PREFIX}…):`)
    : await readPipedSecret(cli, '--with-token');
  const token = checkedToken(given, 'The input', url);
  await greetServer(cli, url);
  return await profileOf(cli, url, token);
}

function report(cli: Cli, name: string, { url, user }: Profile): void {
  if (cli.json) cli.output.document({ profile: name, url, user });
  else cli.output.sentence(`Logged in to ${url} as `, styled('bold', user.name), ` (${user.email}).`);
  cli.output.note(styled('dim', `Now using the profile "${name}" (${url}).`));
  const { HUB_DATA_DIR, HUB_ADMIN_SOCKET, HUB_PROFILE } = cli.deps.env;
  if (HUB_PROFILE && HUB_PROFILE !== name) {
    cli.output.warn(`HUB_PROFILE is set to "${HUB_PROFILE}" and takes precedence. Unset it, or add --profile ${name}.`);
  } else if (!HUB_PROFILE && (HUB_DATA_DIR || HUB_ADMIN_SOCKET)) {
    const variable = HUB_DATA_DIR ? 'HUB_DATA_DIR' : 'HUB_ADMIN_SOCKET';
    cli.output.warn(`${variable} is set and selects the server on this machine. Unset it, or add --profile ${name}.`);
  }
}

async function logout(cli: Cli): Promise<void> {
  const { env } = cli.deps;
  const saved = readProfiles(env);
  const name = cli.serverFlags.profile ?? (env.HUB_PROFILE || saved.current);
  if (name === null) {
    throw failed('not_found', 'There is no current profile.', 'To list profiles: hubctl profiles list');
  }
  const profile = findProfile(saved, name);
  const outcome = await revokeToken(cli, profile);
  const profiles = new Map(saved.profiles);
  profiles.delete(name);
  await writeProfiles(env, { current: saved.current === name ? null : saved.current, profiles });

  if (cli.json) cli.output.document({ profile: name, url: profile.url, tokenRevoked: outcome === 'revoked' });
  else cli.output.sentence(`Logged out of ${profile.url} and removed the profile "${name}".`);
  if (outcome instanceof CliError) {
    cli.output.warn(`The token could not be revoked and is still valid: ${outcome.message}`);
  } else if (outcome === 'kept') {
    cli.output.note('The token that you provided is still valid. Revoke it where you created it.');
  }
  if (saved.current === name && profiles.size > 0) {
    cli.output.note('No current profile is set. To choose one: hubctl profiles use PROFILE');
  }
}

async function whoami(cli: Cli): Promise<void> {
  const { connection } = cli;
  if (connection.kind === 'socket') {
    const { baseUrl } = await cli.api.request('GET /');
    const { socketPath } = connection;
    return printFields(cli.output, { kind: 'local', socketPath, url: baseUrl }, [
      ['Account', 'local admin, through the socket on this machine'],
      ['Server', baseUrl],
      ['Socket', socketPath],
    ]);
  }
  const { id, name, email, role, workspace } = await cli.api.request('GET /me');
  const { name: profile, url } = connection;
  printFields(cli.output, { kind: 'user', profile, url, user: { id, name, email, role }, workspace }, [
    ['Account', `${name} (${email})`],
    ['Role', role],
    ['Workspace', workspace.name],
    ['Server', url],
    profile === null ? ['Token', 'from HUB_TOKEN'] : ['Profile', profile],
  ]);
}
