import { isId } from '@hub/contract/ids';
import { bySeq } from '../../data/items/item.ts';
import { ItemList, type Page } from '../../data/items/item-list.ts';
import type { ItemStore } from '../../data/items/item-store.ts';
import { request } from '../../data/request.ts';
import { keepNewest } from '../../lib/newest.ts';

const PAGE = 50;
/** How many conversations stay loaded after the user leaves them, so that returning is instant. */
const MAX_KEPT = 6;

const conversations = new WeakMap<ItemStore, Map<string, ItemList>>();

/** Returns the list of the messages in a Hub, excluding replies, in the state the user left it in. */
export function conversationOf(store: ItemStore, hubId: string, at: string | null = null): ItemList {
  // A link may be cut or mistyped.
  const around = at !== null && isId(at) ? at : null;
  const lists = conversations.get(store) ?? new Map<string, ItemList>();
  conversations.set(store, lists);
  const cached = lists.get(hubId);
  const list = cached ?? newConversation(store, hubId, around);
  keepNewest(lists, hubId, list, MAX_KEPT)?.dispose();
  if (cached && mustBeLoaded(cached, around)) void cached.reload(around);
  return list;
}

/** Whether the list must be loaded before it is shown: a user without a saved position expects the newest messages. */
function mustBeLoaded(list: ItemList, around: string | null): boolean {
  if (list.state.peek().status === 'failed') return true;
  if (around === null) return list.hasNewer.peek();
  return !list.items.peek().some(({ id }) => id === around);
}

function newConversation(store: ItemStore, hubId: string, around: string | null): ItemList {
  const load = async (query: { before?: string | null; after?: string }): Promise<Page> => {
    const page = { hubId, query: { ...query, limit: PAGE } };
    const { items, next, seq } = await request('GET /hubs/{hubId}/messages', page);
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
          // Requested after the page, so that it reflects at least the same events.
          // Null for a deleted item: its neighbors are still loaded.
          const item = await request('GET /items/{itemId}', { itemId: id }).catch(() => null);
          return { ...older, items: [...(item ? [item] : []), ...older.items] };
        },
      },
    },
    around,
  );
}
