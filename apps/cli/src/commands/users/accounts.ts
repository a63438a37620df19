import { setTimeout as sleep } from 'node:timers/promises';
import type * as contract from '@hub/contract';
import type { Hub, Invitation, IssuedLink, Role } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import type { Prompts } from '../../runtime/deps.ts';
import { CliError, failed, namingOptions, usageError } from '../../runtime/errors.ts';
import { readPipedSecret } from '../../runtime/files.ts';
import { showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { isEnabled, resolveHub, userFor } from '../../runtime/resolve.ts';
import { type Column, emailAddress, freeText, printList } from '../../runtime/table.ts';

interface CreateUserOptions {
  email?: string;
  name?: string;
  role?: Role;
  passwordStdin?: boolean;
}

const EXAMPLE = 'hubctl users create --email ada@example.com --name Ada --password-stdin < password';

export function addCreateUser(users: Command, cli: Cli): void {
  addCommand(users, 'create', {
    about: 'Create a user with a password; prompts for missing options',
    prints: 'The name and ID of the new user.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: [
      'hubctl users create',
      "hubctl users create --email ada@example.com --name 'Ada Lovelace' \\\n  --role admin --password-stdin < password",
    ],
  })
    .option('--email <address>', 'Set the e-mail address to sign in with')
    .option('--name <name>', 'Set the display name (up to 64 characters)')
    .addOption(roleOption())
    .option('--password-stdin', 'Read the password from standard input')
    .action(async (options: CreateUserOptions) => {
      const missing = (flag: string) => `${flag} is missing. For example: ${EXAMPLE}`;
      const email = await addressFrom(cli, options.email, missing('--email'));
      const name = await cli.text(options.name, missing('--name'), 'Name:', 'Enter a name.');
      // Scripts default to `member`; users who are prompted for other options anyway are prompted for the role, too.
      const wasAsked = options.email === undefined || options.name === undefined;
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const password = await newPassword(cli, options.passwordStdin);

      const given = { email: options.email && '--email', name: options.name && '--name', password: undefined };
      const user = await cli.api
        .request('POST /users', { body: { email, name, role, password } })
        .catch(namingOptions(given));
      cli.output.result(user, `Created ${user.role} `, styled('bold', user.name), ` (${user.email}) ${user.id}`);
      cli.output.hint(`To add the user to a Hub: hubctl hubs members add HUB ${user.email}`);
    });
}

/** Reads a new password: from standard input, or from two matching hidden prompts. */
async function newPassword(cli: Cli, isPiped: boolean | undefined): Promise<string> {
  const piped = isPiped ? await readPipedSecret(cli, '--password-stdin') : undefined;
  return await cli.valueOrPrompt(
    piped,
    'The password is missing. Pipe it in with --password-stdin.',
    async (prompts) => {
      for (;;) {
        const password = await prompts.secret(`Password (at least ${LIMITS.passwordMinCodePoints} characters):`);
        if ([...password].length < LIMITS.passwordMinCodePoints) {
          cli.output.note('Password too short. Try again:');
        } else if ((await prompts.secret('Repeat password:')) === password) {
          return password;
        } else {
          cli.output.note('Passwords do not match. Try again:');
        }
      }
    },
  );
}

/** Duplicated here, since loading the contract's schemas would take longer than the rest of startup. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies typeof contract.ROLES;

function roleOption(): Option {
  return new Option('--role <role>', 'Set the role (default: member)').choices(ROLES);
}

/** Asks for a role. `member` comes first, since it is the most common. */
export async function askRole(prompts: Prompts): Promise<Role> {
  return await prompts.choose<Role>('Which role?', [
    { name: 'member', value: 'member', description: "can read and post in the Hubs they're added to" },
    { name: 'admin', value: 'admin', description: 'can manage users, Hubs and keys' },
    { name: 'owner', value: 'owner', description: 'can also manage owners and take backups' },
  ]);
}

/** Rejects typing errors before the next prompt. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** Returns the address of `--email`, else asks for it. The server validates it further. */
async function addressFrom(cli: Cli, given: string | undefined, missing: string): Promise<string> {
  if (given !== undefined && !ADDRESS.test(given.trim())) {
    throw usageError(`Invalid --email "${given}".`, 'Use the format ada@example.com.');
  }
  return await cli.valueOrPrompt(given, missing, (prompts) =>
    prompts.text('E-mail address:', (response) => ADDRESS.test(response) || 'Use the format ada@example.com.'),
  );
}

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
      const email = await addressFrom(cli, options.email, MISSING);
      // Users who are prompted for the address anyway are prompted for the rest, too; scripts get the defaults.
      const wasAsked = options.email === undefined;
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const hubs = options.hub === undefined && wasAsked ? await askHubs(cli) : await resolveHubs(cli, options.hub);
      const invitation = await cli.api
        .request('POST /invitations', { body: { email, role, hubIds: hubs.map((hub) => hub.id) } })
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
  const hubs = await cli.api.all('GET /hubs', { query: { state: 'live' } });
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
  const now = cli.deps.clock.now();
  const columns: Column<Invitation>[] = [
    { title: 'E-MAIL', cell: (invitation) => emailAddress(invitation.email) },
    { title: 'ROLE', cell: (invitation) => invitation.role },
    { title: 'HUBS', cell: (invitation) => String(invitation.hubIds.length), dropOrder: 3 },
    { title: 'BY', cell: (invitation) => freeText(invitation.createdBy.name), dropOrder: 2 },
    { title: 'EXPIRES', cell: (invitation) => showDistance(invitation.expiresAt, now) },
    // May be dropped, since --withdraw also accepts the e-mail address.
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

export function addResetPassword(users: Command, cli: Cli): void {
  addCommand(users, 'reset-password', {
    about: 'Create a password reset link for a user',
    prints:
      'The link, on standard output. It is shown only once. Everything else goes to standard error. The link can be\n' +
      'used once. The current password works until the link is used. With --json: {"link", "expiresAt"}.',
    examples: [
      'hubctl users reset-password ada@example.com',
      'hubctl --local users reset-password ada@example.com  # for a locked-out owner',
    ],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (reference: string | undefined) => {
      const missing = 'Specify a user: hubctl users reset-password USER';
      const user = await userFor(cli, { reference, missing, matches: isEnabled });
      const issued = await cli.api.request('POST /users/{userId}/password-reset', { userId: user.id });
      if (cli.json) return cli.output.document(issued);
      const expiry =
        issued.expiresAt === null ? '' : ` and expires ${showTimeAndDistance(issued.expiresAt, cli.deps.clock.now())}`;
      printLink(cli, issued.link, [
        `Send this link to ${user.name} (${user.email}) to set a new password.`,
        `The link can be used once${expiry}:`,
      ]);
    });
}

export function addSetupLink(program: Command, cli: Cli): void {
  addCommand(program, 'setup-link', {
    about: 'Create a setup link for the first owner',
    prints:
      'The link, on standard output. It replaces any earlier setup link.\n' +
      'With --json: {"link", "expiresAt"}. Fails (exit 1) if there is already an owner.',
    examples: ['hubctl setup-link', 'hubctl setup-link --wait     # right after starting the server'],
  })
    .option('--wait', 'Wait until the server has started, for up to a minute')
    .action(async ({ wait = false }: { wait?: boolean }) => {
      const issued = await requestSetupLink(cli, wait ? cli.deps.clock.now() + MAX_WAIT_MS : 0);
      if (cli.json) return cli.output.document(issued);
      printLink(cli, issued.link, [
        'Open this link in a browser to become the owner of the server. The link can be used once:',
      ]);
    });
}

const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;

/** Requests a link, again and again until `endMs` if no server can be reached. */
async function requestSetupLink(cli: Cli, endMs: number): Promise<IssuedLink> {
  for (;;) {
    try {
      return await cli.api.request('POST /setup-link');
    } catch (error) {
      const isStarting = error instanceof CliError && ['unreachable', 'unavailable'].includes(error.code);
      if (!isStarting || cli.deps.clock.now() >= endMs) throw withOwnerHint(error);
    }
    await sleep(POLL_MS);
  }
}

/** Adds a hint on how to reset an owner's password, since an existing owner has probably lost access. */
function withOwnerHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.code !== 'conflict') return error;
  const hint = 'If an owner has lost access:\n  hubctl users reset-password OWNER\nTo list users:\n  hubctl users list';
  return error.with({ hint });
}

/** Prints a one-time link on standard output, and an explanation on standard error. */
function printLink(cli: Cli, link: string, about: string[]): void {
  for (const line of about) cli.output.note(line);
  cli.output.note();
  cli.output.line(link);
  cli.output.note();
  cli.output.note(styled('yellow', "You won't see this link again. Anyone who has it can use it."));
}
