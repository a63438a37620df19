import type { Hub, Invitation } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, collect } from '../../runtime/command-line.ts';
import { failed } from '../../runtime/errors.ts';
import { showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { hubFor } from '../../runtime/resolve.ts';
import { type Column, EMAIL_WIDTH, freeText, printList } from '../../runtime/table.ts';
import { addressFrom, askRole, printLink, roleOption } from './accounts.ts';

export function addInviteUser(users: Command, cli: Cli): void {
  addCommand(users, 'invite', {
    about: 'Create an invitation link; prompts for missing options',
    prints:
      'The link, on standard output. It is shown only once, and works only once.\n' +
      'With --json: {"id", "email", "role", "hubIds", "link", "isMailed", "expiresAt", …}.',
    examples: ['hubctl users invite', 'hubctl users invite ada@example.com --hub Releases --hub "Night shift"'],
  })
    .argument('[address]', 'E-mail address')
    .option('--email <address>', 'The same')
    .addOption(roleOption())
    .option('--hub <hub>', 'Add the user to this Hub (ID or name); can be repeated', collect)
    .action(async (given, options) => {
      const email = await addressFrom(cli, given ?? options.email, given === undefined ? '--email' : undefined);
      // Users who are prompted for the address anyway are prompted for the rest, too; scripts get the defaults.
      const wasAsked = given === undefined && options.email === undefined;
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const hubs = wasAsked && options.hub === undefined ? await askHubs(cli) : [];
      for (const reference of options.hub ?? []) hubs.push(await hubFor(cli, reference));
      const body = { email, role, hubIds: hubs.map(({ id }) => id) };
      const invitation = await cli.api.request('POST /invitations', { body });
      if (cli.json) return cli.output.document(invitation);
      const into = hubs.length === 0 ? '' : ` to ${hubs.map(({ name }) => name).join(', ')}`;
      const sent = invitation.isMailed ? 'They also get a link by e-mail.' : 'Send them their link.';
      printLink(cli, invitation.link, [
        `Invited ${invitation.email} as ${invitation.role}${into}.`,
        `${sent} It can be used once and expires ${showTimeAndDistance(invitation.expiresAt, cli.deps.clock.now())}:`,
      ]);
    });
}

async function askHubs(cli: Cli): Promise<Hub[]> {
  const hubs = await cli.api.all('GET /hubs', { query: { state: 'live' } });
  if (hubs.length === 0) return [];
  const choices = hubs.map((hub) => ({ name: hub.name, value: hub, description: hub.id }));
  return await cli.deps.prompts.chooseSome('Add them to which Hubs? (optional)', choices, { mayBeNone: true });
}

export function addInvitations(users: Command, cli: Cli): void {
  const invitations = users.command('invitations').description('List open invitations, or withdraw one');
  addCommand(
    invitations,
    'list',
    {
      about: 'List open invitations, newest first',
      prints:
        'A table of invitations.\nWith --json: {"items": [{"id", "email", "role", "hubIds", "expiresAt", …}]}, never a link.',
      examples: ['hubctl users invitations', 'hubctl users invitations list --json'],
    },
    { isDefault: true },
  ).action(() => listInvitations(cli));
  addCommand(invitations, 'withdraw', {
    about: 'Withdraw an open invitation, whose link then no longer works',
    prints: 'The address of the invitation.\nWith --json: {"id", "email", "role", "hubIds", "expiresAt", …}.',
    examples: ['hubctl users invitations withdraw ada@example.com'],
  })
    .argument('[invitation]', 'Invitation ID or e-mail address')
    .action(async (given) => {
      const reference = await cli.text(given, 'E-mail address or ID of the invitation:');
      const open = await cli.api.all('GET /invitations');
      const invitation = open.find(({ id, email }) => id === reference || email === reference.trim().toLowerCase());
      if (!invitation) {
        const hint = 'To list invitations: hubctl users invitations';
        throw failed('not_found', `No open invitation with the ID or e-mail address "${reference}".`, hint);
      }
      const withdrawn = await cli.api.request('DELETE /invitations/{invitationId}', { invitationId: invitation.id });
      cli.output.result(withdrawn, `Withdrew the invitation for ${withdrawn.email}. Its link no longer works.`);
    });
}

async function listInvitations(cli: Cli): Promise<void> {
  const now = cli.deps.clock.now();
  const columns: Column<Invitation>[] = [
    { title: 'E-MAIL', cell: (invitation) => freeText(invitation.email, EMAIL_WIDTH) },
    { title: 'ROLE', cell: (invitation) => invitation.role },
    { title: 'HUBS', cell: (invitation) => String(invitation.hubIds.length), dropOrder: 3 },
    { title: 'BY', cell: (invitation) => freeText(invitation.createdBy.name), dropOrder: 2 },
    { title: 'EXPIRES', cell: (invitation) => showDistance(invitation.expiresAt, now) },
    // May be dropped, since `withdraw` also accepts the e-mail address.
    { title: 'ID', cell: (invitation) => invitation.id, dropOrder: 1 },
  ];
  const items = await cli.api.all('GET /invitations');
  printList(cli.output, columns, items, 'No open invitations. Create one: hubctl users invite');
}
