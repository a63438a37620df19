import type { Member } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { showTime } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor, isEnabled, memberFor, userFor } from '../../runtime/resolve.ts';
import { type Column, printList } from '../../runtime/table.ts';
import { userColumns } from '../users/users.ts';

const SINCE: Column<Member> = { title: 'SINCE', cell: (member) => showTime(member.joinedAt), dropOrder: 2 };

export function addMemberCommands(hubs: Command, cli: Cli): void {
  const members = hubs.command('members').description('Manage the members of a Hub');

  addCommand(members, 'list [hub]', {
    about: 'List the members of a Hub',
    prints: 'A table of members.\nWith --json: {"items": [{"id", "name", "email", "role", "joinedAt", …}]}.',
    examples: ['hubctl hubs members list Releases'],
  }).action(async (reference) => {
    const hub = await hubFor(cli, reference);
    const items = await cli.api.all('GET /hubs/{hubId}/members', { hubId: hub.id });
    const none = `This Hub has no members yet. To add one: hubctl hubs members add ${hub.id} USER`;
    printList(cli.output, userColumns(SINCE), items, none);
  });

  addCommand(members, 'add [hub] [user]', {
    about: 'Add a member to a Hub',
    prints: 'The added member.\nWith --json: {"id", "name", "email", "joinedAt", …}.',
    examples: ['hubctl hubs members add Releases ada@example.com'],
  }).action(async (hubReference, reference) => {
    const hub = await hubFor(cli, hubReference);
    const user = await userFor(cli, reference, isEnabled);
    const body = { userId: user.id };
    const member = await cli.api.request('POST /hubs/{hubId}/members', { hubId: hub.id, body });
    cli.output.result(member, styled('bold', member.name), ` (${member.email}) is now a member of Hub ${hub.name}`);
  });

  addCommand(members, 'remove [hub] [user]', {
    about: 'Remove a member from a Hub; their posts are kept',
    prints: 'The removed member.\nWith --json: {"id", "name", "email", "joinedAt", …}.',
    examples: ['hubctl hubs members remove Releases ada@example.com'],
  }).action(async (hubReference, reference) => {
    const hub = await hubFor(cli, hubReference);
    // Look the user up among the members of the Hub, since a user who is not a member cannot be removed.
    const { id: userId } = await memberFor(cli, hub.id, reference);
    const removed = await cli.api.request('DELETE /hubs/{hubId}/members/{userId}', { hubId: hub.id, userId });
    const text = ` (${removed.email}) is no longer a member of Hub ${hub.name}`;
    cli.output.result(removed, styled('bold', removed.name), text);
  });
}
