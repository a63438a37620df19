import type { Message } from '@hub/contract';
import { path, request } from '../api/request.ts';
import { ItemList } from '../items/item-list.ts';
import type { ItemStore } from '../items/item-store.ts';
import { bySeq } from '../items/order.ts';

const PAGE = 50;

interface MessagePage {
  items: Message[];
  next: string | null;
  seq: number;
}

/** The messages of a Hub, without replies. */
export function conversationOf(store: ItemStore, hubId: string): ItemList {
  return new ItemList(store, {
    holds: (item) => item.kind === 'message' && item.hubId === hubId && item.parentId === null,
    order: bySeq,
    load: async (before) => {
      const query = { before, limit: PAGE };
      const { items, next, seq } = await request<MessagePage>('GET', path`/hubs/${hubId}/messages`, { query });
      return { items, next, asOf: () => seq };
    },
  });
}

/** The replies to a message. */
export function repliesTo(store: ItemStore, messageId: string): ItemList {
  return new ItemList(store, {
    holds: (item) => item.kind === 'message' && item.parentId === messageId,
    order: bySeq,
    load: async (before) => {
      const query = { before, limit: PAGE };
      const { items, next, seq } = await request<MessagePage>('GET', path`/messages/${messageId}/replies`, { query });
      return { items, next, asOf: () => seq };
    },
  });
}
