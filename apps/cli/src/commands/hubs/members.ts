import type { AddMemberBody, Hub, Member } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { showTime } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { type Column, printList } from '../../runtime/table.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { isEnabled, userAmong, userFor } from '../users/resolve-user.ts';
import { userState } from '../users/view.ts';

export function addMemberCommands(hubs: Command, cli: Cli): void {
  const members = hubs.command('members').description('Manage the members of a Hub');
  addListMembers(members, cli);
  addAddMember(members, cli);
  addRemoveMember(members, cli);
}

const COLUMNS: Column<Member>[] = [
  { title: 'NAME', cell: (member) => member.name },
  { title: 'E-MAIL', cell: (member) => member.email },
  { title: 'ROLE', cell: (member) => member.role },
  { title: 'STATE', cell: (member) => userState(member), dropOrder: 3 },
  { title: 'SINCE', cell: (member) => showTime(member.joinedAt), dropOrder: 2 },
  // May be dropped, since commands also accept the e-mail address.
  { title: 'ID', cell: (member) => member.id, dropOrder: 1 },
];

function addListMembers(members: Command, cli: Cli): void {
  addCommand(members, 'list', {
    about: 'List the members of a Hub',
    prints: 'A table of members.\nWith --json: {"items": [{"id", "name", "email", "role", "joinedAt", …}]}.',

    examples: ['hubctl hubs members list Releases'],
  })
    .argument('[hub]', 'Hub ID or name')
    .action(async (reference: string | undefined) => {
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs members list HUB', 'live');
      const items = await cli.api.all<Member>(membersPath(hub));
      const none = `This Hub has no members yet. To add one: hubctl hubs members add ${hub.id} USER`;
      printList(cli.output, COLUMNS, items, none);
    });
}

function addAddMember(members: Command, cli: Cli): void {
  addCommand(members, 'add', {
    about: 'Add a member to a Hub',
    prints: 'The added member.\nWith --json: {"id", "name", "email", "joinedAt", …}.',

    examples: ['hubctl hubs members add Releases ada@example.com'],
  })
    .argument('[hub]', 'Hub ID or name')
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (hubName: string | undefined, userName: string | undefined) => {
      if (userName === undefined && !cli.canAsk) throw usageError(ADD_USAGE);
      const hub = await hubFor(cli, hubName, ADD_USAGE, 'live');
      const user = await userFor(cli, { reference: userName, missing: ADD_USAGE, matches: isEnabled });
      const member = await cli.api.post<Member>(membersPath(hub), { personId: user.id } satisfies AddMemberBody);
      cli.output.result(member, styled('bold', member.name), ` (${member.email}) is now a member of Hub ${hub.name}`);
    });
}

const ADD_USAGE = 'Specify a Hub and a user: hubctl hubs members add HUB USER';

function addRemoveMember(members: Command, cli: Cli): void {
  addCommand(members, 'remove', {
    about: 'Remove a member from a Hub; their posts are kept',
    prints: 'The removed member.\nWith --json: {"id", "name", "email", "joinedAt", …}.',

    examples: ['hubctl hubs members remove Releases ada@example.com'],
  })
    .argument('[hub]', 'Hub ID or name')
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (hubName: string | undefined, userName: string | undefined) => {
      if (userName === undefined && !cli.canAsk) throw usageError(REMOVE_USAGE);
      const hub = await hubFor(cli, hubName, REMOVE_USAGE, 'live');
      // Look the user up among the members of the Hub, since a user who is not a member cannot be removed.
      const list = () => cli.api.all<Member>(membersPath(hub));
      const user = await userAmong(cli, list, { reference: userName, missing: REMOVE_USAGE }).catch((error) => {
        throw asNotMember(error, hub, userName);
      });
      const removed = await cli.api.delete<Member>(`${membersPath(hub)}/${segment(user.id)}`);
      cli.output.result(
        removed,
        styled('bold', removed.name),
        ` (${removed.email}) is no longer a member of Hub ${hub.name}`,
      );
    });
}

const REMOVE_USAGE = 'Specify a Hub and a user: hubctl hubs members remove HUB USER';

/** Rewords the "not found" error, since a user who is not a member may still have an account. */
function asNotMember(error: unknown, hub: Hub, reference: string | undefined): unknown {
  if (reference === undefined || !(error instanceof CliError) || error.code !== 'not_found') return error;
  const { hint, candidates } = error.details;
  return error.with({
    message: `${reference} is not a member of Hub ${hub.name}.`,
    hint: candidates === undefined ? `To list members:\n  hubctl hubs members list ${hub.id}` : hint,
  });
}

export function membersPath(hub: Pick<Hub, 'id'>): string {
  return `/hubs/${segment(hub.id)}/members`;
}
