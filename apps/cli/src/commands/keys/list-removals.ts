import type { ApiKey, Removal } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { type Column, printTable } from '../../runtime/table.ts';
import { showTime } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';

const time = (at: string | null, otherwise = '-') => (at === null ? otherwise : showTime(at));

const COLUMNS: Column<Removal>[] = [
  { title: 'REMOVED', cell: (removal) => time(removal.removedAt) },
  { title: 'POSTS', cell: (removal) => String(removal.count) },
  { title: 'FROM', cell: (removal) => time(removal.from), dropOrder: 2 },
  { title: 'TO', cell: (removal) => time(removal.to), dropOrder: 1 },
  { title: 'UNDONE', cell: (removal) => time(removal.undoneAt, 'no') },
  { title: 'ID', cell: (removal) => removal.id ?? '-' },
];

/** Prints the removals of a key's posts, newest first, with the IDs that --undo takes. */
export async function listRemovals(cli: Cli, key: ApiKey): Promise<void> {
  const items = await cli.api.all<Removal>(`/keys/${segment(key.id)}/removals`);
  if (cli.json) return cli.output.document({ items });
  if (items.length > 0) printTable(cli.output, COLUMNS, items);
  else cli.output.note(`No posts by ${key.name} have been removed.`);
}
