import type * as contract from '@hub/contract';
import type { CreateUserBody, User } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import type { Prompts } from '../../runtime/deps.ts';
import { namingOptions, usageError } from '../../runtime/errors.ts';
import { addCommand } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { readPipedSecret } from '../../runtime/read-source.ts';

interface CreateUserOptions {
  email?: string;
  name?: string;
  role?: Role;
  passwordStdin?: boolean;
}

export function addCreateUser(users: Command, cli: Cli): void {
  addCommand(users, 'create', {
    about: 'Create a user with a password; prompts for missing options',
    prints: 'The name and ID of the new user.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: [
      'hubctl users create',
      "hubctl users create --email ada@example.com --name 'Ada Lovelace' --role admin --password-stdin < password",
    ],
  })
    .option('--email <address>', 'Set the e-mail address to sign in with')
    .option('--name <name>', 'Set the display name (up to 64 characters)')
    .addOption(roleOption())
    .option('--password-stdin', 'Read the password from standard input')
    .action(async (options: CreateUserOptions) => {
      requireAddress(options.email);
      const email = await cli.response(options.email, MISSING('--email'), (prompts) =>
        prompts.text('E-mail address:', (response) => response.includes('@') || 'Use the format ada@example.com.'),
      );
      const name = await cli.response(options.name, MISSING('--name'), (prompts) =>
        prompts.text('Name:', (response) => response !== '' || 'Enter a name.'),
      );
      // Scripts default to `member`; users who are prompted for other options anyway are prompted for the role, too.
      const wasAsked = options.email === undefined || options.name === undefined;
      const role = options.role ?? (wasAsked ? await askRole(cli.deps.prompts) : 'member');
      const password = await newPassword(cli, options.passwordStdin);

      const body: CreateUserBody = { email, name, role, password };
      const given = { email: options.email && '--email', name: options.name && '--name', password: undefined };
      const user = await cli.api.post<User>('/people', body).catch(namingOptions(given));
      if (cli.json) return cli.output.document(user);
      cli.output.line(`Created ${user.role} `, styled('bold', user.name), ` (${user.email}) ${user.id}`);
      cli.output.note(styled('dim', `To add the user to a Hub: hubctl hubs members add HUB ${user.email}`));
    });
}

const EXAMPLE = 'hubctl users create --email ada@example.com --name Ada --password-stdin < password';
const MISSING = (flag: string) => `${flag} is missing. For example: ${EXAMPLE}`;

/** Reads a new password: from standard input, or from two matching hidden prompts. */
async function newPassword(cli: Cli, isPiped: boolean | undefined): Promise<string> {
  const piped = isPiped ? await readPipedSecret(cli, '--password-stdin') : undefined;
  return await cli.response(piped, 'The password is missing. Pipe it in with --password-stdin.', async (prompts) => {
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
  });
}

/** Duplicated here, since loading the contract's schemas would take longer than the rest of startup. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies typeof contract.ROLES;
export type Role = contract.Role;

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

/** @throws a usage error if this is not an e-mail address. The server validates it further. */
export function requireAddress(email: string | undefined): void {
  if (email === undefined || /\S@\S/.test(email)) return;
  throw usageError(`Invalid --email "${email}".`, 'Use the format ada@example.com.');
}
