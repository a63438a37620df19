import type { Me, ServerInfo } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { printFields } from '../../runtime/table.ts';

export function addWhoami(program: Command, cli: Cli): void {
  const command = program
    .command('whoami')
    .description('Show the current server and account')
    .action(() => whoami(cli));
  helpNotes(command, {
    prints:
      'The server and the account.\n' +
      'With --json: {"kind": "person", "profile", "url", "person": {"id", "name", "email", "role"}},\n' +
      'or {"kind": "local", "socketPath", "url"} for the local admin.',
    exits: ADMIN_EXITS,
    examples: ['hubctl whoami', 'hubctl whoami --profile work --json'],
  });
}

export async function whoami(cli: Cli): Promise<void> {
  const { connection } = cli;
  if (connection.kind === 'socket') {
    const { baseUrl } = await cli.api.get<ServerInfo>('');
    const { socketPath } = connection;
    if (cli.json) return cli.output.document({ kind: 'local', socketPath, url: baseUrl });
    return printFields(cli.output, [
      ['Account', 'local admin: anyone with access to the socket'],
      ['Server', baseUrl],
      ['Socket', socketPath],
    ]);
  }
  const { id, name, email, role, workspace } = await cli.api.get<Me>('/me');
  const { name: profile, url } = connection;
  if (cli.json)
    return cli.output.document({ kind: 'person', profile, url, person: { id, name, email, role }, workspace });
  printFields(cli.output, [
    ['Account', `${name} (${email})`],
    ['Role', role],
    ['Workspace', workspace.name],
    ['Server', url],
    ['Profile', profile],
  ]);
}
