import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { readProfiles } from '../../runtime/profile-file.ts';
import { type Column, printTable } from '../../runtime/table.ts';

interface Row {
  name: string;
  url: string;
  person: { name: string; email: string };
  isCurrent: boolean;
}

export function addListProfiles(profiles: Command, cli: Cli): void {
  const command = profiles
    .command('list', { isDefault: true })
    .description('List the servers you are logged in to')
    .action(() => listProfiles(cli));
  helpNotes(command, {
    prints:
      'A table of profiles. The current profile is marked with *.\n' +
      'With --json: {"items": [{"name", "url", "person", "isCurrent"}]}, never a token.',
    exits: '0 success, 1 error, 2 usage error',
    examples: ['hubctl profiles', 'hubctl profiles list --json'],
  });
}

const COLUMNS: Column<Row>[] = [
  { title: '', cell: (row) => (row.isCurrent ? styled('green', '*') : ' ') },
  { title: 'NAME', cell: (row) => row.name },
  { title: 'SERVER', cell: (row) => row.url },
  { title: 'AS', cell: (row) => `${row.person.name} (${row.person.email})` },
];

function listProfiles(cli: Cli): void {
  const { current, profiles } = readProfiles(cli.deps.env);
  const items: Row[] = [...profiles].map(([name, { url, person: user }]) => ({
    name,
    url,
    person: user,
    isCurrent: name === current,
  }));
  if (cli.json) cli.output.document({ items });
  else if (items.length > 0) printTable(cli.output, COLUMNS, items);
  else
    cli.output.note(
      'Not logged in to any server. Commands use the server on this machine. To log in: hubctl login URL',
    );
}
