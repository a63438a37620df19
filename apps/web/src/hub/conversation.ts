import type { Item, Message } from '@hub/contract';
import { path, request } from '../api/request.ts';
import { ItemList, type Page } from '../items/item-list.ts';
import type { ItemStore } from '../items/item-store.ts';
import { bySeq } from '../items/order.ts';

const PAGE = 50;
/** So many conversations stay loaded when one goes to others: coming back to them takes no time. */
const MAX_KEPT = 6;

interface MessagePage {
  items: Message[];
  next: string | null;
  seq: number;
}

const kept = new WeakMap<ItemStore, Map<string, ItemList>>();

/** The messages of a Hub, without replies; as it was left, if it was open before. */
export function conversationOf(store: ItemStore, hubId: string, around: string | null = null): ItemList {
  const lists = kept.get(store) ?? new Map<string, ItemList>();
  kept.set(store, lists);
  const known = lists.get(hubId);
  const list = known ?? newConversation(store, hubId, around);
  lists.delete(hubId);
  lists.set(hubId, list);
  const [oldest] = lists;
  if (lists.size > MAX_KEPT && oldest) {
    oldest[1].dispose();
    lists.delete(oldest[0]);
  }
  if (known && mustBeLoaded(known, around)) void known.reload(around);
  return list;
}

/** Somebody who comes without a place of his own wants the newest. */
function mustBeLoaded(list: ItemList, around: string | null): boolean {
  if (list.state.peek().status === 'failed') return true;
  if (around === null) return list.hasNewer.peek();
  return !list.items.peek().some(({ id }) => id === around);
}

function newConversation(store: ItemStore, hubId: string, around: string | null): ItemList {
  const load = async (query: { before?: string | null; after?: string }): Promise<Page> => {
    const to = path`/hubs/${hubId}/messages`;
    const { items, next, seq } = await request<MessagePage>('GET', to, { query: { ...query, limit: PAGE } });
    return { items, next, asOf: () => seq };
  };
  return new ItemList(
    store,
    {
      holds: (item) => item.kind === 'message' && item.hubId === hubId && item.parentId === null,
      order: bySeq,
      hubId,
      load: (before) => load({ before }),
      middle: {
        after: (id) => load({ after: id }),
        upTo: async (id) => {
          const older = await load({ before: id });
          // Asked for after the page, so that it reflects no less.
          const item = await itemOf(id);
          return { ...older, items: [...(item ? [item] : []), ...older.items] };
        },
      },
    },
    around,
  );
}

/** What is gone is not there, and its neighbours are. */
function itemOf(id: string): Promise<Item | null> {
  return request<Item>('GET', path`/items/${id}`).catch(() => null);
}

/** The replies to a message. */
export function repliesTo(store: ItemStore, { id: messageId, hubId }: { id: string; hubId?: string }): ItemList {
  return new ItemList(store, {
    holds: (item) => item.kind === 'message' && item.parentId === messageId,
    order: bySeq,
    ...(hubId === undefined ? {} : { hubId }),
    load: async (before) => {
      const query = { before, limit: PAGE };
      const { items, next, seq } = await request<MessagePage>('GET', path`/messages/${messageId}/replies`, { query });
      return { items, next, asOf: () => seq };
    },
  });
}
