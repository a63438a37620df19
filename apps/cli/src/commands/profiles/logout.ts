import type { Command } from 'commander';
import { findProfile } from '../../runtime/choose-connection.ts';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { readProfiles, writeProfiles } from '../../runtime/profile-file.ts';
import { revokeToken } from './sign-in.ts';

export function addLogout(program: Command, cli: Cli): void {
  const command = program
    .command('logout')
    .description('Log out: revoke the token of a profile and remove the profile')
    .action(() => logout(cli));
  helpNotes(command, {
    prints:
      'The removed profile.\n' +
      'With --json: {"profile", "url", "tokenRevoked"}. A token from --token-stdin is not revoked.',
    exits: ADMIN_EXITS,
    examples: ['hubctl logout', 'hubctl logout --profile work'],
  });
}

export async function logout(cli: Cli): Promise<void> {
  const { env } = cli.deps;
  const known = readProfiles(env);
  const name = cli.serverFlags.profile ?? (env.HUB_PROFILE || known.current);
  if (name === null) {
    throw new CliError('not_found', EXIT.failed, 'There is no current profile.', {
      hint: 'To list profiles: hubctl profiles list',
    });
  }
  const profile = findProfile(known, name);
  const outcome = await revokeToken(cli, profile);
  const profiles = new Map(known.profiles);
  profiles.delete(name);
  writeProfiles(env, { current: known.current === name ? null : known.current, profiles });

  if (cli.json) cli.output.document({ profile: name, url: profile.url, tokenRevoked: outcome === 'revoked' });
  else cli.output.line(`Logged out of ${profile.url} and removed the profile "${name}".`);
  if (outcome instanceof CliError) {
    cli.output.warn(`The token could not be revoked and is still valid: ${outcome.message}`);
  } else if (outcome === 'kept') {
    cli.output.note('The token that you provided is still valid. Revoke it where you created it.');
  }
  if (known.current === name && profiles.size > 0) {
    cli.output.note('No current profile is set. To choose one: hubctl profiles use PROFILE');
  }
}
