import type { Command } from 'commander';
import { findProfile } from '../../runtime/choose-connection.ts';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { helpNotes } from '../../runtime/help.ts';
import { readProfiles, writeProfiles } from '../../runtime/profile-file.ts';

export function addUseProfile(profiles: Command, cli: Cli): void {
  const command = profiles
    .command('use')
    .description('Set the current profile')
    .argument('[profile]', 'Profile name')
    .action((name: string | undefined) => useProfile(cli, name));
  helpNotes(command, {
    prints: 'The server that commands now use.\nWith --json: {"profile", "url", "person"}.',
    exits: '0 success, 1 error, 2 usage error',
    examples: ['hubctl profiles use work', 'hubctl --local status     # for one command: the server on this machine'],
  });
}

async function useProfile(cli: Cli, given: string | undefined): Promise<void> {
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
  if (cli.json) return cli.output.document({ profile: name, url, person: user });
  cli.output.line(`Now using ${url} as ${user.name} (${user.email}).`);
}

function noProfiles(): CliError {
  return new CliError('not_found', EXIT.failed, 'Not logged in to any server.', {
    hint: 'To log in: hubctl login URL',
  });
}
