import type { Invitation } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { type Column, printTable } from '../../runtime/table.ts';
import { showDistance } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';

export function addInvitations(users: Command, cli: Cli): void {
  const command = users
    .command('invitations')
    .description('List open invitations, or withdraw one')
    .option('--withdraw <invitation>', 'Withdraw an invitation (invitation ID or e-mail address)')
    .action((options: { withdraw?: string }) =>
      options.withdraw === undefined ? listInvitations(cli) : withdrawInvitation(cli, options.withdraw),
    );
  helpNotes(command, {
    prints:
      'A table of invitations.\nWith --json: {"items": [{"id", "email", "role", "hubIds", "expiresAt", …}]}, never a link;\n' +
      'with --withdraw, the withdrawn invitation.',
    exits: ADMIN_EXITS,
    examples: ['hubctl users invitations', 'hubctl users invitations --withdraw ada@example.com'],
  });
}

async function listInvitations(cli: Cli): Promise<void> {
  const items = await cli.api.all<Invitation>('/invitations');
  if (cli.json) return cli.output.document({ items });
  if (items.length > 0) return printTable(cli.output, columns(cli.deps.clock.now()), items);
  cli.output.note('No open invitations. Create one: hubctl users invite');
}

function columns(now: number): Column<Invitation>[] {
  return [
    { title: 'E-MAIL', cell: (invitation) => invitation.email },
    { title: 'ROLE', cell: (invitation) => invitation.role },
    { title: 'HUBS', cell: (invitation) => String(invitation.hubIds.length), dropOrder: 2 },
    { title: 'BY', cell: (invitation) => invitation.createdBy.name, dropOrder: 1 },
    { title: 'EXPIRES', cell: (invitation) => showDistance(invitation.expiresAt, now) },
    { title: 'ID', cell: (invitation) => invitation.id },
  ];
}

/** Withdraws the open invitation with this ID or address. An address has at most one open invitation. */
async function withdrawInvitation(cli: Cli, reference: string): Promise<void> {
  const open = await cli.api.all<Invitation>('/invitations');
  const found = open.find(({ id, email }) => id === reference || email === reference.trim().toLowerCase());
  if (!found) {
    throw new CliError('not_found', EXIT.failed, `No open invitation with the ID or e-mail address "${reference}".`, {
      hint: 'To list invitations: hubctl users invitations',
    });
  }
  const withdrawn = await cli.api.delete<Invitation>(`/invitations/${segment(found.id)}`);
  if (cli.json) return cli.output.document(withdrawn);
  cli.output.line(`Withdrew the invitation for ${withdrawn.email}. Its link no longer works.`);
}
