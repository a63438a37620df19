import type { ItemQuery, NewItem } from '../store/item-store.ts';
import { testIds } from './store-records.ts';

/** An item as a use-case makes it, for tests that speak to the store itself. Times are small numbers. */
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

/** All messages of these Hubs, but for what is given. */
export function itemQuery(hubIds: readonly string[], over: Partial<ItemQuery> = {}): ItemQuery {
  return { hubIds, kinds: ['message'], limit: 50, ...over };
}
