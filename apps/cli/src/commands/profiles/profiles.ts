import type { Me, ServerInfo } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { findProfile } from '../../runtime/connection.ts';
import { type CliError, failed } from '../../runtime/errors.ts';
import { addCommand } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { readProfiles, writeProfiles } from '../../runtime/profile-file.ts';
import { type Column, printFields, printList } from '../../runtime/table.ts';

interface Row {
  name: string;
  url: string;
  person: { name: string; email: string };
  isCurrent: boolean;
}

export function addListProfiles(profiles: Command, cli: Cli): void {
  addCommand(
    profiles,
    'list',
    {
      about: 'List the servers you are logged in to',
      prints:
        'A table of profiles. The current profile is marked with *.\n' +
        'With --json: {"items": [{"name", "url", "person", "isCurrent"}]}, never a token.',
      exits: '0 success, 1 error, 2 usage error',
      examples: ['hubctl profiles', 'hubctl profiles list --json'],
    },
    { isDefault: true },
  ).action(() => {
    const { current, profiles } = readProfiles(cli.deps.env);
    const items: Row[] = [...profiles].map(([name, { url, person: user }]) => ({
      name,
      url,
      person: user,
      isCurrent: name === current,
    }));
    const none = 'Not logged in to any server. Commands use the server on this machine. To log in: hubctl login URL';
    printList(cli.output, COLUMNS, items, none);
  });
}

const COLUMNS: Column<Row>[] = [
  { title: '', cell: (row) => (row.isCurrent ? styled('green', '*') : ' ') },
  { title: 'NAME', cell: (row) => row.name },
  { title: 'SERVER', cell: (row) => row.url },
  { title: 'AS', cell: (row) => `${row.person.name} (${row.person.email})` },
];

export function addUseProfile(profiles: Command, cli: Cli): void {
  addCommand(profiles, 'use', {
    about: 'Set the current profile',
    prints: 'The server that commands now use.\nWith --json: {"profile", "url", "person"}.',
    exits: '0 success, 1 error, 2 usage error',
    examples: ['hubctl profiles use work', 'hubctl --local status     # for one command: the server on this machine'],
  })
    .argument('[profile]', 'Profile name')
    .action(async (given: string | undefined) => {
      const known = readProfiles(cli.deps.env);
      if (known.profiles.size === 0) throw noProfiles();
      const name = await cli.response(given, 'Specify a profile: hubctl profiles use PROFILE', (prompts) =>
        prompts.choose(
          'Which profile?',
          [...known.profiles].map(([value, { url }]) => ({ name: value, value, description: url })),
        ),
      );
      const { url, person: user } = findProfile(known, name);
      writeProfiles(cli.deps.env, { ...known, current: name });
      cli.output.result({ profile: name, url, person: user }, `Now using ${url} as ${user.name} (${user.email}).`);
    });
}

function noProfiles(): CliError {
  return failed('not_found', 'Not logged in to any server.', 'To log in: hubctl login URL');
}

export function addWhoami(program: Command, cli: Cli): void {
  addCommand(program, 'whoami', {
    about: 'Show the current server and account',
    prints:
      'The server and the account.\n' +
      'With --json: {"kind": "person", "profile", "url", "person": {"id", "name", "email", "role"}},\n' +
      'or {"kind": "local", "socketPath", "url"} for the local admin.',
    examples: ['hubctl whoami', 'hubctl whoami --profile work --json'],
  }).action(() => whoami(cli));
}

async function whoami(cli: Cli): Promise<void> {
  const { connection } = cli;
  if (connection.kind === 'socket') {
    const { baseUrl } = await cli.api.get<ServerInfo>('');
    const { socketPath } = connection;
    if (cli.json) return cli.output.document({ kind: 'local', socketPath, url: baseUrl });
    return printFields(cli.output, [
      ['Account', 'local admin: anyone with access to the socket'],
      ['Server', baseUrl],
      ['Socket', socketPath],
    ]);
  }
  const { id, name, email, role, workspace } = await cli.api.get<Me>('/me');
  const { name: profile, url } = connection;
  if (cli.json)
    return cli.output.document({ kind: 'person', profile, url, person: { id, name, email, role }, workspace });
  printFields(cli.output, [
    ['Account', `${name} (${email})`],
    ['Role', role],
    ['Workspace', workspace.name],
    ['Server', url],
    profile === null ? ['Token', 'from HUB_TOKEN'] : ['Profile', profile],
  ]);
}
