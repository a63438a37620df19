import type { PersonalToken } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import type { ProfileConnection } from '../../runtime/connection.ts';
import { CliError } from '../../runtime/errors.ts';
import { showDistance } from '../../runtime/format.ts';
import { allWritten } from '../../runtime/output.ts';
import { tokenFor } from '../../runtime/resolve.ts';
import { type Column, freeText, printList } from '../../runtime/table.ts';
import type { WorkspaceApi } from '../../runtime/workspace-api.ts';
import { expiryText, readExpiry } from '../keys/expiry.ts';
import { type AccountOptions, askCredentials, greetServer, withSession } from './sign-in.ts';

const EMAIL_OPTION = [
  '--email <address>',
  'Set the e-mail address of your account (default: that of the login)',
] as const;
const PASSWORD_OPTION = ['--password-stdin', 'Read the password from standard input'] as const;

export function addTokenCommands(program: Command, cli: Cli): void {
  const tokens = program.command('tokens').description('Manage your personal access tokens');

  addCommand(tokens, 'list', {
    about: 'List your personal access tokens, newest first (secrets are never shown)',
    prints: 'A table of tokens.\nWith --json: {"items": [{"id", "name", "hint", "expiresAt", "lastUsedAt", …}]}.',
    examples: ['hubctl tokens list', 'hubctl tokens list --profile work --json'],
  }).action(async () => {
    accountConnection(cli);
    const now = cli.deps.clock.now();
    const columns: Column<PersonalToken>[] = [
      { title: 'NAME', cell: ({ name }) => freeText(name) },
      { title: 'TOKEN', cell: ({ hint }) => hint, dropOrder: 1 },
      { title: 'EXPIRES', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : showDistance(expiresAt, now)) },
      { title: 'LAST USED', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : showDistance(lastUsedAt, now)) },
      { title: 'FROM', cell: ({ lastUsedAddress }) => lastUsedAddress ?? '-', dropOrder: 0 },
      { title: 'ID', cell: ({ id }) => id },
    ];
    printList(cli.output, columns, await cli.api.all('GET /me/tokens'), 'No personal access tokens.');
  });

  addCommand(tokens, 'create', {
    about: 'Create a personal access token, for hubctl on another machine or in a script (HUB_TOKEN)',
    prints:
      'The token, on standard output. It is shown only once. Everything else goes to standard error.\n' +
      'With --json: {"id", "token", "name", "expiresAt", …}.',
    more: {
      title: 'Password',
      text: 'A token cannot create tokens, so hubctl signs in with your password and ends that session again.',
    },
    examples: [
      'hubctl tokens create --name backup-job --expires-in 365d',
      'hubctl tokens create --name ci --password-stdin < password',
    ],
  })
    .option('--name <name>', 'Name the token (up to 64 characters)')
    .option('--expires-in <duration>', 'Expire after this time: 12h, 90d, 2w (default: never)')
    .option(...EMAIL_OPTION)
    .option(...PASSWORD_OPTION)
    .action((options: CreateTokenOptions) => create(cli, options));

  addCommand(tokens, 'revoke', {
    about: 'Revoke one of your personal access tokens immediately and permanently',
    prints: 'The name and ID of the token.\nWith --json: {"id", "name", "hint", …}.',
    more: {
      title: 'Password',
      text:
        'A token can revoke only itself. For any other, hubctl signs in with your password and ends that session again.\n' +
        'To revoke all tokens at once, change your password in the web app, or ask an admin: hubctl users sign-out.',
    },
    examples: [
      'hubctl tokens revoke backup-job',
      'hubctl tokens revoke pat_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json',
      'hubctl tokens revoke backup-job --yes --password-stdin < password',
    ],
  })
    .argument('[token]', 'Token ID or name')
    .option('-y, --yes', 'Skip the confirmation')
    .option(...EMAIL_OPTION)
    .option(...PASSWORD_OPTION)
    .action(async (reference: string | undefined, { yes, ...account }: AccountOptions & { yes?: boolean }) => {
      accountConnection(cli);
      const token = await tokenFor(cli, reference);
      await cli.confirmName(yes, token.name, `Revoke the token ${token.name} (${token.hint})? This cannot be undone.`);
      const revoke = (api: WorkspaceApi) => api.request('DELETE /me/tokens/{tokenId}', { tokenId: token.id });
      const revoked = token.isCurrent ? await revoke(cli.api) : await withPassword(cli, account, revoke);
      cli.output.result(revoked, `Revoked token ${revoked.name} ${revoked.id}`);
    });
}

/** Returns the connection to a server with the user's account. @throws if it is that of the local admin. */
function accountConnection({ connection }: Cli): ProfileConnection {
  if (connection.kind === 'profile') return connection;
  throw new CliError('forbidden', 'The local admin has no account, and so no tokens.', {
    hint: 'Log in with your account first: hubctl login URL\nIf you are logged in already, add --profile PROFILE.',
  });
}

/** Signs in to the account of the login for something that a token cannot do. */
async function withPassword<T>(
  cli: Cli,
  { email: given, passwordStdin }: AccountOptions,
  work: (session: WorkspaceApi) => Promise<T>,
): Promise<T> {
  const { url, user } = accountConnection(cli);
  const credentials = await askCredentials(cli, url, { email: given ?? (user.email || undefined), passwordStdin });
  return withSession(cli, url, await greetServer(cli, url), credentials, work);
}

interface CreateTokenOptions extends AccountOptions {
  name?: string;
  expiresIn?: string;
}

async function create(cli: Cli, options: CreateTokenOptions): Promise<void> {
  const expiry = readExpiry(options, cli.deps.clock.now());
  accountConnection(cli);
  const name = await cli.text(options.name, 'Name of the token:', '--name');
  const created = await withPassword(cli, options, (session) =>
    session.request('POST /me/tokens', { body: { name, ...expiry } }),
  );
  if (cli.json) cli.output.document(created);
  else {
    const end = expiryText(created, cli.deps.clock.now());
    cli.output.note(`Created token ${created.name} (${created.id}). It ${end}, and has all your permissions.`);
    cli.output.line(created.token);
    cli.output.note("Save this token now. You won't see it again. To use it in a script, set HUB_URL and HUB_TOKEN.");
  }
  await allWritten(cli.deps.stdout);
}
