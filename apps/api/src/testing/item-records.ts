import type { ItemQuery, NewItem } from '../storage/item-store.ts';
import { testIds } from './store-records.ts';

/** Returns an item as a use case creates it, for tests of the store. Times are small numbers. */
export function newItem(hubId: string, authorId: string, over: Partial<NewItem> = {}): NewItem {
  return {
    id: testIds('msg'),
    kind: 'message',
    hubId,
    createdAt: 100,
    authorId,
    title: null,
    body: 'Hello',
    dueAt: null,
    priority: null,
    assigneeId: null,
    parentId: null,
    sourceId: null,
    ...over,
  };
}

/** Returns a query for all messages in these Hubs, with overrides. */
export function itemQuery(hubIds: readonly string[], over: Partial<ItemQuery> = {}): ItemQuery {
  return { hubIds, kinds: ['message'], limit: 50, ...over };
}
