import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from '@commander-js/extra-typings';
import type * as contract from '@hub/contract';
import type { IssuedLink, Role } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import type { Prompts } from '../../runtime/deps.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { readPipedSecret } from '../../runtime/files.ts';
import { showTimeAndDistance } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { isEnabled, userFor } from '../../runtime/resolve.ts';

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
    .action(async (options) => {
      const email = await addressFrom(cli, options.email, '--email');
      const name = await cli.text(options.name, 'Name:', '--name');
      // Scripts default to `member`; users who are prompted for other options anyway are prompted for the role, too.
      const wasAsked = options.email === undefined || options.name === undefined;
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const password = await newPassword(cli, options.passwordStdin);
      const user = await cli.api.request('POST /users', { body: { email, name, role, password } });
      cli.output.result(user, `Created ${user.role} `, styled('bold', user.name), ` (${user.email}) ${user.id}`);
      cli.output.hint(`To add the user to a Hub: hubctl hubs members add HUB ${user.email}`);
    });
}

/** Reads a new password: from standard input, or from two matching hidden prompts. */
async function newPassword(cli: Cli, isPiped: boolean | undefined): Promise<string> {
  const piped = isPiped ? await readPipedSecret(cli, '--password-stdin') : undefined;
  const ask = async ({ secret }: Prompts): Promise<string> => {
    const password = await secret(`Password (at least ${LIMITS.passwordMinCodePoints} characters):`);
    if ([...password].length < LIMITS.passwordMinCodePoints) cli.output.note('Password too short. Try again:');
    else if ((await secret('Repeat password:')) === password) return password;
    else cli.output.note('Passwords do not match. Try again:');
    return await ask(cli.deps.prompts);
  };
  return await cli.valueOrPrompt(piped, ask, '--password-stdin');
}

/** Duplicated here, since loading the contract's schemas would take longer than the rest of startup. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies typeof contract.ROLES;

export function roleOption(): Option {
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
const ADDRESS_FORM = 'Use the format ada@example.com.';

/** Returns the given address, else asks for it. The server validates it further. */
export async function addressFrom(cli: Cli, given: string | undefined, flag?: string): Promise<string> {
  if (given !== undefined && !ADDRESS.test(given.trim()))
    throw usageError(`Invalid ${flag ?? 'e-mail address'} "${given}".`, ADDRESS_FORM);
  return await cli.valueOrPrompt(
    given,
    (prompts) => prompts.text('E-mail address:', (response) => ADDRESS.test(response) || ADDRESS_FORM),
    flag,
  );
}

export function addResetPassword(users: Command, cli: Cli): void {
  addCommand(users, 'reset-password [user]', {
    about: 'Create a password reset link for a user',
    prints:
      'The link, on standard output. It is shown only once. Everything else goes to standard error. The link can be\n' +
      'used once. The current password works until the link is used. With --json: {"link", "expiresAt"}.',
    examples: [
      'hubctl users reset-password ada@example.com',
      'hubctl --local users reset-password ada@example.com  # for a locked-out owner',
    ],
  }).action(async (reference) => {
    const user = await userFor(cli, reference, isEnabled);
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
    .action(async ({ wait = false }) => {
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
export function printLink(cli: Cli, link: string, about: string[]): void {
  for (const line of about) cli.output.note(line);
  cli.output.note();
  cli.output.line(link);
  cli.output.note();
  cli.output.note(styled('yellow', "You won't see this link again. Anyone who has it can use it."));
}
