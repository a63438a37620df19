import type { ApiKey, Removal, RemovePostsBody } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { namingOptions, usageError } from '../../runtime/errors.ts';
import { count, readPast, showTime } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { keyFor } from '../../runtime/resolve.ts';
import { type Column, printList } from '../../runtime/table.ts';

interface RemovePostsOptions {
  from?: string;
  to?: string;
  preview?: boolean;
  list?: boolean;
  undo?: string;
  yes?: boolean;
}

export function addRemovePosts(keys: Command, cli: Cli): void {
  const acts = ['from', 'to', 'preview', 'yes'];
  addCommand(keys, 'remove-posts', {
    about: 'Remove the posts by a key (can be undone)',
    prints:
      'The number of removed posts, and how to restore them.\n' +
      'With --json: {"id", "keyId", "count", "from", "to", "removedAt", "undoneAt"}; the ID is null in a preview.\n' +
      'With --list and --json: {"items": […]} with these fields.',
    examples: [
      'hubctl keys remove-posts ci --from 2027-01-31T09:00Z --to 2027-01-31T10:00Z',
      'hubctl keys remove-posts ci --from 2h --preview --json',
      'hubctl keys remove-posts ci --undo rmv_01KA3T8Q6V5M0G7ZB4W2N9RXEC',
    ],
  })
    .argument('[key]', 'Key ID or name')
    .option('--from <time>', 'Remove posts from this time on: how long ago (90s, 2h, 3d), or 2027-01-31T09:00Z')
    .option('--to <time>', 'Remove posts before this time')
    .option('--preview', 'Show how many posts would be removed')
    .addOption(
      new Option('--undo <removal>', 'Restore the posts from a removal (ID from --list)').conflicts([...acts, 'list']),
    )
    .addOption(new Option('--list', 'List earlier removals').conflicts(acts))
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: RemovePostsOptions) => {
      const now = cli.deps.clock.now();
      const range = {
        ...(options.from !== undefined && { from: readPast('--from', options.from, now) }),
        ...(options.to !== undefined && { to: readPast('--to', options.to, now) }),
      };
      if (range.from !== undefined && range.to !== undefined && Date.parse(range.from) >= Date.parse(range.to)) {
        throw usageError('--from must be before --to.', '--to is exclusive.');
      }
      const missing = `Specify a key: hubctl keys remove-posts KEY ${actOf(options)}`;
      // Revoked keys match, too: a key is usually revoked before its posts are removed.
      const key = await keyFor(cli, { reference, missing, matches: () => true });
      if (options.list) return await listRemovals(cli, key);
      if (options.undo !== undefined) return await undo(cli, key, options.undo);
      const preview = await remove(cli, key, { ...range, isPreview: true });
      if (options.preview || preview.count === 0) return report(cli, key, preview);
      const what = `${count(preview.count, 'post')} by ${key.name} (Hub ${key.hubName})${span(preview)}`;
      await cli.confirm(options.yes, `Remove ${what}? This removes them for everyone and can be undone.`);
      report(cli, key, await remove(cli, key, range));
    });
}

function remove(cli: Cli, key: ApiKey, body: RemovePostsBody): Promise<Removal> {
  return cli.api.request('POST /keys/{keyId}/removals', { keyId: key.id, body }).catch(namingOptions());
}

/** Returns the option to use in the example of the usage error: the given one, or else `--yes`. */
function actOf({ list, undo, preview }: RemovePostsOptions): string {
  if (list) return '--list';
  if (undo !== undefined) return `--undo ${undo}`;
  return preview ? '--preview' : '--yes';
}

function report(cli: Cli, key: ApiKey, removal: Removal): void {
  const posts = `${count(removal.count, 'post')} by ${key.name}${span(removal)}`;
  if (removal.id !== null) {
    cli.output.result(removal, 'Removed ', styled('bold', posts));
    cli.output.hint(`To restore them: hubctl keys remove-posts ${key.id} --undo ${removal.id}`);
  } else if (removal.count === 0) {
    cli.output.result(removal, `${key.name} has no posts${span(removal)}`);
  } else {
    cli.output.result(removal, `Would remove ${posts}`);
  }
}

async function undo(cli: Cli, key: ApiKey, removalId: string): Promise<void> {
  const undone = await cli.api.request('DELETE /keys/{keyId}/removals/{removalId}', { keyId: key.id, removalId });
  cli.output.result(undone, `Restored ${count(undone.count, 'post')} by ${key.name}`);
}

function span({ from, to }: Pick<Removal, 'from' | 'to'>): string {
  return `${from === null ? '' : ` from ${showTime(from)}`}${to === null ? '' : ` to ${showTime(to)}`}`;
}

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
async function listRemovals(cli: Cli, key: ApiKey): Promise<void> {
  const items = await cli.api.all('GET /keys/{keyId}/removals', { keyId: key.id });
  printList(cli.output, COLUMNS, items, `No posts by ${key.name} have been removed.`);
}
