import type { Hub, Invitation, IssuedInvitation, Role } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { CliError, failed, namingOptions, usageError } from '../../runtime/errors.ts';
import { showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { resolveHub } from '../../runtime/resolve.ts';
import { type Column, emailAddress, freeText, printList } from '../../runtime/table.ts';
import { addressFrom, askRole, printLink, requireAddress, roleOption } from './accounts.ts';

interface InviteUserOptions {
  email?: string;
  role?: Role;
  hub?: string[];
}
export function addInviteUser(users: Command, cli: Cli): void {
  addCommand(users, 'invite', {
    about: 'Create invitation links; prompts for missing options',
    prints:
      'The link, on standard output; for several addresses, a line for each. Links are shown only once, and work only once.\n' +
      'With --json: {"id", "email", "role", "hubIds", "link", "isMailed", "expiresAt", …}; for several, {"items": […]}.',
    examples: [
      'hubctl users invite',
      'hubctl users invite ada@example.com --hub Releases --hub "Night shift"',
      'hubctl users invite ada@example.com grace@example.com --role admin --json',
    ],
  })
    .argument('[address...]', 'E-mail addresses')
    .option('--email <address>', 'The same, for one')
    .addOption(roleOption())
    .option('--hub <hub>', 'Add the user to this Hub (ID or name); can be repeated', (hub, hubs: string[] = []) => [
      ...hubs,
      hub,
    ])
    .action(async (given: string[], options: InviteUserOptions) => {
      const addresses = [...given, ...(options.email === undefined ? [] : [options.email])];
      // Users who are prompted for the address anyway are prompted for the rest, too; scripts get the defaults.
      const wasAsked = addresses.length === 0;
      for (const address of addresses) requireAddress(address, 'e-mail address');
      if (wasAsked) addresses.push(await addressFrom(cli, undefined, MISSING));
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const hubs = options.hub === undefined && wasAsked ? await askHubs(cli) : await resolveHubs(cli, options.hub);
      const invite = (email: string) =>
        cli.api
          .request('POST /invitations', { body: { email, role, hubIds: hubs.map((hub) => hub.id) } })
          .catch(namingOptions({ email: options.email && '--email' }));
      const into = hubs.length === 0 ? '' : ` to ${hubs.map((hub) => hub.name).join(', ')}`;
      const [only = '', ...others] = addresses;
      if (others.length > 0) return inviteAll(cli, addresses, `as ${role}${into}`, invite);
      const invitation = await invite(only);
      if (cli.json) return cli.output.document(invitation);
      const expiry = showTimeAndDistance(invitation.expiresAt, cli.deps.clock.now());
      printLink(cli, invitation.link, [
        `Invited ${invitation.email} as ${invitation.role}${into}.`,
        `${sent([invitation])} It can be used once and expires ${expiry}:`,
      ]);
    });
}

/** Invites each, even if others fail: their links cannot be shown again. */
async function inviteAll(
  cli: Cli,
  addresses: readonly string[],
  as: string,
  invite: (email: string) => Promise<IssuedInvitation>,
): Promise<void> {
  const invited: IssuedInvitation[] = [];
  let failure: CliError | undefined;
  for (const email of new Set(addresses)) {
    try {
      const invitation = await invite(email);
      invited.push(invitation);
      if (!cli.json) cli.output.line(`${invitation.email} ${invitation.link}`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const message = `${email} was not invited: ${error.message}`;
      failure = error.with({ message: failure ? `${failure.message}\n${message}` : message, invited });
    }
  }
  if (failure) throw failure;
  if (cli.json) return cli.output.document({ items: invited });
  cli.output.note(`Invited ${invited.length} users ${as}. ${sent(invited)}`);
}

const sent = ([one]: readonly IssuedInvitation[]): string =>
  one?.isMailed ? 'They also get a link by e-mail.' : 'Send them their link.';

const MISSING = 'Specify an address: hubctl users invite ADDRESS';

async function resolveHubs(cli: Cli, references: readonly string[] = []): Promise<Hub[]> {
  const hubs = [];
  for (const reference of references) hubs.push(await resolveHub(cli, reference, 'live'));
  return hubs;
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
    .action((reference: string | undefined) => {
      if (reference === undefined) throw usageError('Specify an invitation: hubctl users invitations withdraw ADDRESS');
      return withdrawInvitation(cli, reference);
    });
}

async function listInvitations(cli: Cli): Promise<void> {
  const now = cli.deps.clock.now();
  const columns: Column<Invitation>[] = [
    { title: 'E-MAIL', cell: (invitation) => emailAddress(invitation.email) },
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

/** Withdraws the open invitation with this ID or address. An address has at most one open invitation. */
async function withdrawInvitation(cli: Cli, reference: string): Promise<void> {
  const open = await cli.api.all('GET /invitations');
  const invitation = open.find(({ id, email }) => id === reference || email === reference.trim().toLowerCase());
  if (!invitation) {
    const message = `No open invitation with the ID or e-mail address "${reference}".`;
    throw failed('not_found', message, 'To list invitations: hubctl users invitations');
  }
  const withdrawn = await cli.api.request('DELETE /invitations/{invitationId}', { invitationId: invitation.id });
  cli.output.result(withdrawn, `Withdrew the invitation for ${withdrawn.email}. Its link no longer works.`);
}
