import type { Item, StreamPage, WireKind } from '@hub/contract';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import { LIMITS } from '@hub/contract/limits';
import { effect } from '@preact/signals';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { byCreation, isReply } from '../../data/items/item.ts';
import { ItemList, type Page } from '../../data/items/item-list.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { filterQuery, passes, type StreamFilter } from './stream-filter.ts';

const PAGE = 50;

/** Returns the items of all the user's Hubs that pass the filter. */
export function streamOf({ me, items, hubs }: Workspace, filter: StreamFilter, known: readonly Item[]): ItemList {
  // Items that are read while the unread filter is on stay in the list.
  const marks = new Map(hubs.mine.peek().map((hub) => [hub.id, hub.readSeqs]));
  const isNew = (item: Item) => item.author.id !== me.peek().id && item.seq > (marks.get(item.hubId)?.[item.kind] ?? 0);
  return new ItemList(items, {
    known,
    holds: (item) => passes(item, filter, isNew),
    order: byCreation,
    load: (before) => pageOf(request('GET /stream', { query: { ...filterQuery(filter), before, limit: PAGE } })),
  });
}

/** Mentions of the signed-in user and replies in their threads. */
export function mentionsOf({ me, items, hubs }: Workspace) {
  /** Only the server knows in whose thread a reply is. */
  const replies = new Set<string>();
  const names = ({ author, mentions }: Item) => author.id !== me.peek().id && mentions.includes(me.peek().id);
  const list = new ItemList(items, {
    holds: (item) => names(item) || replies.has(item.id),
    order: byCreation,
    load: async (before) => {
      const page = await pageOf(request('GET /mentions', { query: { before, limit: PAGE } }));
      for (const item of page.items) if (isReply(item)) replies.add(item.id);
      return page;
    },
  });
  const stop = effect(() => {
    for (const id of hubs.mentions.ids.value) {
      const item = items.get(id).value;
      if (!item || replies.has(id) || !isReply(item)) continue;
      replies.add(id);
      list.take(item);
    }
  });
  return { list, stop };
}

/**
 * Whether these items include everything unread that passes the filter. The server does not count per key: with a
 * filter for a key, false may only mean that the remaining unread items belong to other keys.
 */
export function holdsAllUnread(hubs: Hubs, { hubId, kind }: StreamFilter, items: readonly Item[]): boolean {
  const ids = new Set(items.map(({ id }) => id));
  const held = new Map<string, number>();
  for (const item of items) {
    const of = `${item.hubId} ${item.kind}`;
    if (hubs.isUnread(item)) held.set(of, (held.get(of) ?? 0) + 1);
  }
  return hubs.mine.value
    .filter(({ id }) => hubId === null || id === hubId)
    .every(({ id, unreadCounts, unreadMentionIds }) => {
      const areHeld = (each: WireKind) => {
        const count = unreadCounts?.[each] ?? 0;
        return count < LIMITS.unreadCount && count <= (held.get(`${id} ${each}`) ?? 0);
      };
      const kinds = kind === null ? ITEM_KINDS : [kind];
      return kinds.every(areHeld) && (unreadMentionIds ?? []).every((mention) => ids.has(mention));
    });
}

async function pageOf(response: Promise<StreamPage>): Promise<Page> {
  const { items, next, seqs } = await response;
  return { items, next, asOf: (hubId) => seqs[hubId] ?? 0 };
}
