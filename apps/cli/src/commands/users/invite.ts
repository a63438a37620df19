import type { CreateInvitationBody, Hub, IssuedInvitation } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { resolveHub } from '../../runtime/resolve-hub.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { requireAddress } from './email-option.ts';
import { printLink } from './print-link.ts';
import { askRole, type Role, roleOption } from './role-option.ts';

interface InviteUserOptions {
  email?: string;
  role?: Role;
  hub?: string[];
}

export function addInviteUser(users: Command, cli: Cli): void {
  const command = users
    .command('invite')
    .description('Create an invitation link; prompts for missing options')
    .option('--email <address>', 'Invite this e-mail address')
    .addOption(roleOption())
    .option('--hub <hub>', 'Add the user to this Hub (ID or name); can be repeated', (hub, hubs: string[] = []) => [
      ...hubs,
      hub,
    ])
    .action((options: InviteUserOptions) => inviteUser(cli, options));
  helpNotes(command, {
    prints:
      'The link, on standard output. It is shown only once, and can be used only once.\n' +
      'Everything else goes to standard error.\n' +
      'With --json: {"id", "email", "role", "hubIds", "link", "expiresAt", …}.',
    exits: ADMIN_EXITS,
    examples: [
      'hubctl users invite',
      'hubctl users invite --email ada@example.com --hub Releases --hub "Night shift"',
      'hubctl users invite --email grace@example.com --role admin --json',
    ],
  });
}

const MISSING = '--email is missing. For example: hubctl users invite --email ada@example.com --hub Releases';

async function inviteUser(cli: Cli, options: InviteUserOptions): Promise<void> {
  requireAddress(options.email);
  const email = await cli.response(options.email, MISSING, (prompts) =>
    prompts.text('E-mail address:', (response) => response.includes('@') || 'Use the format ada@example.com.'),
  );
  // Users who are prompted for the address anyway are prompted for the rest, too; scripts get the defaults.
  const wasAsked = options.email === undefined;
  const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
  const hubs = options.hub === undefined && wasAsked ? await askHubs(cli) : await resolveHubs(cli, options.hub);
  const body: CreateInvitationBody = { email, role, hubIds: hubs.map((hub) => hub.id) };
  const invitation = await cli.api.post<IssuedInvitation>('/invitations', body).catch((error) => {
    throw namingOptions(error, { email: options.email && '--email' });
  });
  if (cli.json) return cli.output.document(invitation);
  const into = hubs.length === 0 ? '' : ` to ${hubs.map((hub) => hub.name).join(', ')}`;
  const expiry = showTimeAndDistance(invitation.expiresAt, cli.deps.clock.now());
  printLink(cli, invitation.link, [
    `Invited ${invitation.email} as ${invitation.role}${into}.`,
    `Send them this link. It can be used once and expires ${expiry}:`,
  ]);
}

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
