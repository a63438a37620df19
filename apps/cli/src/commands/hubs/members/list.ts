import type { Member } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../../runtime/help.ts';
import { hubFor } from '../../../runtime/resolve-hub.ts';
import { type Column, printTable } from '../../../runtime/table.ts';
import { showTime } from '../../../runtime/times.ts';
import { userState } from '../../users/list.ts';
import { membersPath } from './members-path.ts';

const COLUMNS: Column<Member>[] = [
  { title: 'NAME', cell: (member) => member.name },
  { title: 'E-MAIL', cell: (member) => member.email },
  { title: 'ROLE', cell: (member) => member.role },
  { title: 'STATE', cell: (member) => userState(member), dropOrder: 3 },
  { title: 'SINCE', cell: (member) => showTime(member.joinedAt), dropOrder: 2 },
  // May be dropped, since commands also accept the e-mail address.
  { title: 'ID', cell: (member) => member.id, dropOrder: 1 },
];

export function addListMembers(members: Command, cli: Cli): void {
  const command = members
    .command('list')
    .description('List the members of a Hub')
    .argument('[hub]', 'Hub ID or name')
    .action((hub: string | undefined) => listMembers(cli, hub));
  helpNotes(command, {
    prints: 'A table of members.\nWith --json: {"items": [{"id", "name", "email", "role", "joinedAt", …}]}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs members list Releases'],
  });
}

async function listMembers(cli: Cli, reference: string | undefined): Promise<void> {
  const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs members list HUB', 'live');
  const items = await cli.api.all<Member>(membersPath(hub));
  if (cli.json) return cli.output.document({ items });
  if (items.length > 0) printTable(cli.output, COLUMNS, items);
  else cli.output.note(`This Hub has no members yet. To add one: hubctl hubs members add ${hub.id} USER`);
}
