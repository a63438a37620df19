import type { AddMemberBody, Member } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../../runtime/cli.ts';
import { usageError } from '../../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../../runtime/help.ts';
import { styled } from '../../../runtime/output.ts';
import { hubFor } from '../../../runtime/resolve-hub.ts';
import { isEnabled, userFor } from '../../users/resolve-user.ts';
import { membersPath } from './members-path.ts';

export function addAddMember(members: Command, cli: Cli): void {
  const command = members
    .command('add')
    .description('Add a member to a Hub')
    .argument('[hub]', 'Hub ID or name')
    .argument('[user]', 'User ID, e-mail address or name')
    .action((hub: string | undefined, user: string | undefined) => addMember(cli, hub, user));
  helpNotes(command, {
    prints: 'The added member.\nWith --json: {"id", "name", "email", "joinedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs members add Releases ada@example.com'],
  });
}

const USAGE = 'Specify a Hub and a user: hubctl hubs members add HUB USER';

async function addMember(cli: Cli, hubName: string | undefined, userName: string | undefined): Promise<void> {
  if (userName === undefined && !cli.canAsk) throw usageError(USAGE);
  const hub = await hubFor(cli, hubName, USAGE, 'live');
  const user = await userFor(cli, { reference: userName, missing: USAGE, matches: isEnabled });
  const member = await cli.api.post<Member>(membersPath(hub), { personId: user.id } satisfies AddMemberBody);
  if (cli.json) return cli.output.document(member);
  cli.output.line(styled('bold', member.name), ` (${member.email}) is now a member of Hub ${hub.name}`);
}
