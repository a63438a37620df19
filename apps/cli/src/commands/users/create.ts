import type { CreateUserBody, User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { newPassword } from './ask-password.ts';
import { requireAddress } from './email-option.ts';
import { askRole, type Role, roleOption } from './role-option.ts';

interface CreateUserOptions {
  email?: string;
  name?: string;
  role?: Role;
  passwordStdin?: boolean;
}

export function addCreateUser(users: Command, cli: Cli): void {
  const command = users
    .command('create')
    .description('Create a user with a password; prompts for missing options')
    .option('--email <address>', 'Set the e-mail address to sign in with')
    .option('--name <name>', 'Set the display name (up to 64 characters)')
    .addOption(roleOption())
    .option('--password-stdin', 'Read the password from standard input')
    .action((options: CreateUserOptions) => createUser(cli, options));
  helpNotes(command, {
    prints: 'The name and ID of the new user.\nWith --json: {"id", "name", "email", "role", …}.',
    exits: ADMIN_EXITS,
    examples: [
      'hubctl users create',
      "hubctl users create --email ada@example.com --name 'Ada Lovelace' --role admin --password-stdin < password",
    ],
  });
}

const EXAMPLE = 'hubctl users create --email ada@example.com --name Ada --password-stdin < password';
const MISSING = (flag: string) => `${flag} is missing. For example: ${EXAMPLE}`;

async function createUser(cli: Cli, options: CreateUserOptions): Promise<void> {
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
  const user = await cli.api.post<User>('/people', body).catch((error) => {
    const given = { email: options.email && '--email', name: options.name && '--name', password: undefined };
    throw namingOptions(error, given);
  });
  if (cli.json) return cli.output.document(user);
  cli.output.line(`Created ${user.role} `, styled('bold', user.name), ` (${user.email}) ${user.id}`);
  cli.output.note(styled('dim', `To add the user to a Hub: hubctl hubs members add HUB ${user.email}`));
}
