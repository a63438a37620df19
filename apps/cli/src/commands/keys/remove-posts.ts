import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ApiKey, Removal, RemovePostsBody } from '@hub/contract';
import type { Command as UntypedCommand } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, type NoOptions, type OptionsOf } from '../../runtime/command-line.ts';
import { failed, usageError } from '../../runtime/errors.ts';
import { count, readPast, showTime } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { keyFor } from '../../runtime/resolve.ts';

const PRINTS = 'With --json: {"id", "keyId", "count", "from", "to", "removedAt", "undoneAt"}';

export function addKeyPosts(keys: UntypedCommand, cli: Cli): void {
  const posts = keys.command('posts').description('Remove the posts by a key, and restore them');
  addRange(
    addCommand(posts, 'preview [key]', {
      about: 'Count the posts by a key that `keys posts remove` would remove',
      prints: `The number of posts.\n${PRINTS}; the ID is null.`,
      examples: ['hubctl keys posts preview ci --from 2h'],
    }),
  ).action(async (reference, options) => {
    const range = readRange(cli, options);
    const key = await keyFor(cli, reference);
    report(cli, key, await remove(cli, key, { ...range, isPreview: true }));
  });
  addRange(
    addCommand(posts, 'remove [key]', {
      about: 'Remove the posts by a key (can be undone)',
      prints: `The number of removed posts, and how to restore them.\n${PRINTS}.`,
      examples: ['hubctl keys posts remove ci --from 2027-01-31T09:00Z --to 2027-01-31T10:00Z'],
    }),
  )
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference, options) => {
      const range = readRange(cli, options);
      const key = await keyFor(cli, reference);
      const preview = await remove(cli, key, { ...range, isPreview: true });
      if (preview.count === 0) return report(cli, key, preview);
      const what = `${count(preview.count, 'post')} by ${key.name} (Hub ${key.hubName})${span(preview)}`;
      await cli.confirm(options.yes, `Remove ${what}? This removes them for everyone and can be undone.`);
      report(cli, key, await remove(cli, key, range));
    });
  addCommand(posts, 'undo [key]', {
    about: 'Restore the posts of a removal',
    prints: `The number of restored posts.\n${PRINTS}.`,
    examples: ['hubctl keys posts undo ci rmv_01KA3T8Q6V5M0G7ZB4W2N9RXEC'],
  })
    .argument('[removal]', 'The ID of the removal, as `keys posts remove` prints it')
    .action(async (reference, given) => {
      const key = await keyFor(cli, reference);
      const removalId = await cli.valueOrPrompt(given, async (prompts) => {
        const removals = await cli.api.all('GET /keys/{keyId}/removals', { keyId: key.id });
        const choices = removals
          .filter(({ undoneAt }) => undoneAt === null)
          .map((each) => ({
            name: `${count(each.count, 'post')}${span(each)}, removed ${showTime(each.removedAt ?? '')}`,
            value: each.id ?? '',
          }));
        if (choices.length === 0) throw failed('not_found', `No posts by ${key.name} have been removed.`);
        return await prompts.choose('Which removal?', choices);
      });
      const undone = await cli.api.request('DELETE /keys/{keyId}/removals/{removalId}', { keyId: key.id, removalId });
      cli.output.result(undone, `Restored ${count(undone.count, 'post')} by ${key.name}`);
    });
}

function addRange<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--from <time>', 'Only posts from this time on: how long ago (90s, 2h, 3d), or 2027-01-31T09:00Z')
    .option('--to <time>', 'Only posts before this time');
}

type RangeOptions = OptionsOf<typeof addRange<[], NoOptions>>;

function readRange(cli: Cli, { from, to }: RangeOptions): RangeOptions {
  const now = cli.deps.clock.now();
  const range = {
    ...(from !== undefined && { from: readPast('--from', from, now) }),
    ...(to !== undefined && { to: readPast('--to', to, now) }),
  };
  if (range.from === undefined || range.to === undefined || Date.parse(range.from) < Date.parse(range.to)) return range;
  throw usageError('--from must be before --to.', '--to is exclusive.');
}

function remove(cli: Cli, key: ApiKey, body: RemovePostsBody): Promise<Removal> {
  return cli.api.request('POST /keys/{keyId}/removals', { keyId: key.id, body });
}

function report(cli: Cli, key: ApiKey, removal: Removal): void {
  const posts = `${count(removal.count, 'post')} by ${key.name}${span(removal)}`;
  if (removal.id !== null) {
    cli.output.result(removal, 'Removed ', styled('bold', posts));
    cli.output.hint(`To restore them: hubctl keys posts undo ${key.id} ${removal.id}`);
  } else if (removal.count === 0) {
    cli.output.result(removal, `${key.name} has no posts${span(removal)}`);
  } else {
    cli.output.result(removal, `Would remove ${posts}`);
  }
}

function span({ from, to }: Pick<Removal, 'from' | 'to'>): string {
  return `${from === null ? '' : ` from ${showTime(from)}`}${to === null ? '' : ` to ${showTime(to)}`}`;
}
