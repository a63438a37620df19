import type { CreateInvitationBody, Hub, Invitation, IssuedInvitation } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { failed, namingOptions } from '../../runtime/errors.ts';
import { showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { resolveHub } from '../../runtime/resolve-hub.ts';
import { type Column, printList } from '../../runtime/table.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { askRole, type Role, requireAddress, roleOption } from './create.ts';
import { printLink } from './links.ts';

interface InviteUserOptions {
  email?: string;
  role?: Role;
  hub?: string[];
}

export function addInviteUser(users: Command, cli: Cli): void {
  addCommand(users, 'invite', {
    about: 'Create an invitation link; prompts for missing options',
    prints:
      'The link, on standard output. It is shown only once, and can be used only once.\n' +
      'Everything else goes to standard error.\n' +
      'With --json: {"id", "email", "role", "hubIds", "link", "expiresAt", …}.',
    examples: [
      'hubctl users invite',
      'hubctl users invite --email ada@example.com --hub Releases --hub "Night shift"',
      'hubctl users invite --email grace@example.com --role admin --json',
    ],
  })
    .option('--email <address>', 'Invite this e-mail address')
    .addOption(roleOption())
    .option('--hub <hub>', 'Add the user to this Hub (ID or name); can be repeated', (hub, hubs: string[] = []) => [
      ...hubs,
      hub,
    ])
    .action(async (options: InviteUserOptions) => {
      requireAddress(options.email);
      const email = await cli.response(options.email, MISSING, (prompts) =>
        prompts.text('E-mail address:', (response) => response.includes('@') || 'Use the format ada@example.com.'),
      );
      // Users who are prompted for the address anyway are prompted for the rest, too; scripts get the defaults.
      const wasAsked = options.email === undefined;
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const hubs = options.hub === undefined && wasAsked ? await askHubs(cli) : await resolveHubs(cli, options.hub);
      const body: CreateInvitationBody = { email, role, hubIds: hubs.map((hub) => hub.id) };
      const invitation = await cli.api
        .post<IssuedInvitation>('/invitations', body)
        .catch(namingOptions({ email: options.email && '--email' }));
      if (cli.json) return cli.output.document(invitation);
      const into = hubs.length === 0 ? '' : ` to ${hubs.map((hub) => hub.name).join(', ')}`;
      const expiry = showTimeAndDistance(invitation.expiresAt, cli.deps.clock.now());
      printLink(cli, invitation.link, [
        `Invited ${invitation.email} as ${invitation.role}${into}.`,
        `Send them this link. It can be used once and expires ${expiry}:`,
      ]);
    });
}

const MISSING = '--email is missing. For example: hubctl users invite --email ada@example.com --hub Releases';

async function resolveHubs(cli: Cli, references: readonly string[] = []): Promise<Hub[]> {
  const hubs = [];
  for (const reference of references) hubs.push(await resolveHub(cli, reference, 'live'));
  return hubs;
}

async function askHubs(cli: Cli): Promise<Hub[]> {
  const hubs = await cli.api.all<Hub>('/hubs', { state: 'live' });
  if (hubs.length === 0) return [];
  const choices = hubs.map((hub) => ({ name: hub.name, value: hub, description: hub.id }));
  return await cli.deps.prompts.chooseSome('Add them to which Hubs? (optional)', choices, { mayBeNone: true });
}

export function addInvitations(users: Command, cli: Cli): void {
  addCommand(users, 'invitations', {
    about: 'List open invitations, or withdraw one',
    prints:
      'A table of invitations.\nWith --json: {"items": [{"id", "email", "role", "hubIds", "expiresAt", …}]}, never a link;\n' +
      'with --withdraw, the withdrawn invitation.',
    examples: ['hubctl users invitations', 'hubctl users invitations --withdraw ada@example.com'],
  })
    .option('--withdraw <invitation>', 'Withdraw an invitation (invitation ID or e-mail address)')
    .action((options: { withdraw?: string }) =>
      options.withdraw === undefined ? listInvitations(cli) : withdrawInvitation(cli, options.withdraw),
    );
}

async function listInvitations(cli: Cli): Promise<void> {
  const items = await cli.api.all<Invitation>('/invitations');
  const none = 'No open invitations. Create one: hubctl users invite';
  printList(cli.output, columns(cli.deps.clock.now()), items, none);
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
    throw failed(
      'not_found',
      `No open invitation with the ID or e-mail address "${reference}".`,
      'To list invitations: hubctl users invitations',
    );
  }
  const withdrawn = await cli.api.delete<Invitation>(`/invitations/${segment(found.id)}`);
  cli.output.result(withdrawn, `Withdrew the invitation for ${withdrawn.email}. Its link no longer works.`);
}
