import type { Hub, Member } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../../runtime/cli.ts';
import { CliError, usageError } from '../../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../../runtime/help.ts';
import { styled } from '../../../runtime/output.ts';
import { segment } from '../../../runtime/workspace-api.ts';
import { userAmong } from '../../users/resolve-user.ts';
import { hubFor } from '../resolve-hub.ts';
import { membersPath } from './members-path.ts';

export function addRemoveMember(members: Command, cli: Cli): void {
  const command = members
    .command('remove')
    .description('take a user out of a Hub; what the user wrote stays')
    .argument('[hub]', 'its id or name')
    .argument('[user]', 'the id, e-mail address or name')
    .action((hub: string | undefined, user: string | undefined) => removeMember(cli, hub, user));
  helpNotes(command, {
    prints: 'Who no longer belongs to the Hub.\nWith --json: {"id", "name", "email", "joinedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs members remove Releases ada@example.com'],
  });
}

const USAGE = 'Say which Hub and whom: hubctl hubs members remove HUB USER';

export async function removeMember(cli: Cli, hubName: string | undefined, userName: string | undefined): Promise<void> {
  if (userName === undefined && !cli.canAsk) throw usageError(USAGE);
  const hub = await hubFor(cli, hubName, USAGE, 'live');
  // Among the members, whom a member may see: everybody may leave, though not everybody may list all users.
  const list = () => cli.api.all<Member>(membersPath(hub));
  const user = await userAmong(cli, list, { reference: userName, missing: USAGE }).catch((error) => {
    throw asNoMember(error, hub, userName);
  });
  const removed = await cli.api.delete<Member>(`${membersPath(hub)}/${segment(user.id)}`);
  if (cli.json) return cli.output.document(removed);
  cli.output.line(styled('bold', removed.name), ` (${removed.email}) no longer belongs to the Hub ${hub.name}`);
}

/** Whoever is not found among the members may well have an account. */
function asNoMember(error: unknown, hub: Hub, reference: string | undefined): unknown {
  if (reference === undefined || !(error instanceof CliError) || error.code !== 'not_found') return error;
  const { hint, candidates } = error.details;
  return new CliError(error.code, error.exitCode, `${reference} does not belong to the Hub ${hub.name}.`, {
    ...error.details,
    hint: candidates === undefined ? `To see who does:\n  hubctl hubs members list ${hub.id}` : hint,
  });
}
