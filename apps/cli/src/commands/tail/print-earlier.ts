import type { Hub, Item } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { itemsAfter, type ListPosition, newestItems } from './earlier-items.ts';
import type { Start } from './followed-hubs.ts';
import { BEFORE_ALL, cursorBefore } from './item-cursor.ts';
import type { ListedItems } from './listed-items.ts';
import type { Printer } from './printer.ts';
import type { TailOptions } from './tail-options.ts';

interface Earlier {
  cli: Cli;
  printer: Printer;
  listed: ListedItems;
  hubs: readonly Hub[];
  isAll: boolean;
  options: TailOptions;
  /** Returns whether printing has ended. */
  hasEnded: () => boolean;
}

/** The number of earlier items loaded for text output, even if fewer are shown, to describe later changes to them. */
const MIN_LOADED_ITEMS = 50;

/** Prints earlier items, and returns the position from which to follow each Hub without gaps or duplicates. */
export async function printEarlier(earlier: Earlier): Promise<Map<string, Start>> {
  const { cli, hubs, options } = earlier;
  const { since, limit } = options;
  if (since?.kind === 'event') return startsAt(hubs, since.seq);
  // JSON output has the events themselves instead of items. If the server no longer has them all, it sends a reset.
  if (since?.kind === 'all' && limit === undefined && cli.json) return startsAt(hubs, 0);
  const from = since?.kind === 'time' ? since.at : 0;
  return limit === undefined ? printAllFrom(earlier, from) : printNewest(earlier, limit, from);
}

function startsAt(hubs: readonly Hub[], seq: number): Map<string, Start> {
  return new Map(hubs.map(({ id }) => [id, { after: seq, cursor: BEFORE_ALL }]));
}

async function printNewest(earlier: Earlier, limit: number, from: number): Promise<Map<string, Start>> {
  const { cli, printer, listed } = earlier;
  const wanted = cli.json ? limit : Math.max(limit, MIN_LOADED_ITEMS);
  const present = await newestItems(cli.api, scopeOf(earlier), { limit: wanted, from });
  const first = Math.max(0, present.items.length - limit);
  printer.remember(present.items.slice(0, first));
  for (const item of present.items) listed.add(item);
  await printItems(earlier, present.items.slice(first));
  return startsAfter(earlier, present);
}

async function printAllFrom(earlier: Earlier, from: number): Promise<Map<string, Start>> {
  const span = await itemsAfter(earlier.cli.api, scopeOf(earlier), from === 0 ? BEFORE_ALL : cursorBefore(from));
  await printItems(earlier, span.items);
  return startsAfter(earlier, span);
}

async function printItems(
  { printer, listed, hubs, hasEnded }: Earlier,
  items: Iterable<Item> | AsyncIterable<Item>,
): Promise<void> {
  const named = new Map(hubs.map((hub) => [hub.id, hub]));
  for await (const item of items) {
    if (hasEnded()) return;
    // A Hub created since the list was read is followed from its beginning.
    const hub = named.get(item.hubId);
    if (!hub) continue;
    await printer.item(hub, item);
    listed.add(item);
  }
}

function scopeOf({ hubs, isAll, options }: Earlier) {
  return { hubIds: isAll ? undefined : hubs.map(({ id }) => id), kinds: options.kinds };
}

function startsAfter({ hubs }: Earlier, { seqs, epoch, newestId }: ListPosition): Map<string, Start> {
  const starts = new Map<string, Start>();
  for (const { id } of hubs) {
    const after = seqs.get(id);
    if (after !== undefined) starts.set(id, { after, epoch, cursor: newestId ?? BEFORE_ALL });
  }
  return starts;
}
