import type { Hub, Member } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../../runtime/cli.ts';
import { CliError, usageError } from '../../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../../runtime/help.ts';
import { styled } from '../../../runtime/output.ts';
import { hubFor } from '../../../runtime/resolve-hub.ts';
import { segment } from '../../../runtime/workspace-api.ts';
import { userAmong } from '../../users/resolve-user.ts';
import { membersPath } from './members-path.ts';

export function addRemoveMember(members: Command, cli: Cli): void {
  const command = members
    .command('remove')
    .description('Remove a member from a Hub; their posts are kept')
    .argument('[hub]', 'Hub ID or name')
    .argument('[user]', 'User ID, e-mail address or name')
    .action((hub: string | undefined, user: string | undefined) => removeMember(cli, hub, user));
  helpNotes(command, {
    prints: 'The removed member.\nWith --json: {"id", "name", "email", "joinedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs members remove Releases ada@example.com'],
  });
}

const USAGE = 'Specify a Hub and a user: hubctl hubs members remove HUB USER';

async function removeMember(cli: Cli, hubName: string | undefined, userName: string | undefined): Promise<void> {
  if (userName === undefined && !cli.canAsk) throw usageError(USAGE);
  const hub = await hubFor(cli, hubName, USAGE, 'live');
  // Look the user up among the members of the Hub, since a user who is not a member cannot be removed.
  const list = () => cli.api.all<Member>(membersPath(hub));
  const user = await userAmong(cli, list, { reference: userName, missing: USAGE }).catch((error) => {
    throw asNotMember(error, hub, userName);
  });
  const removed = await cli.api.delete<Member>(`${membersPath(hub)}/${segment(user.id)}`);
  if (cli.json) return cli.output.document(removed);
  cli.output.line(styled('bold', removed.name), ` (${removed.email}) is no longer a member of Hub ${hub.name}`);
}

/** Rewords the "not found" error, since a user who is not a member may still have an account. */
function asNotMember(error: unknown, hub: Hub, reference: string | undefined): unknown {
  if (reference === undefined || !(error instanceof CliError) || error.code !== 'not_found') return error;
  const { hint, candidates } = error.details;
  return new CliError(error.code, error.exitCode, `${reference} is not a member of Hub ${hub.name}.`, {
    ...error.details,
    hint: candidates === undefined ? `To list members:\n  hubctl hubs members list ${hub.id}` : hint,
  });
}
