import type { Item, StreamPage } from '@hub/contract';
import { request } from '../api/request.ts';
import { ItemList } from '../items/item-list.ts';
import { byMaking } from '../items/order.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filterQuery, passes, type StreamFilter } from './stream-filter.ts';

const PAGE = 50;

/** Everything of all one's Hubs that passes the filter. */
export function streamOf({ me, items, hubs }: Workspace, filter: StreamFilter, known: readonly Item[]): ItemList {
  // What is read while one looks at what is unread stays where it is.
  const marks = new Map(hubs.mine.peek().map((hub) => [hub.id, hub.readSeqs]));
  const isNews = (item: Item) =>
    item.author.id !== me.peek().id && item.seq > (marks.get(item.hubId)?.[item.kind] ?? 0);
  return new ItemList(items, {
    known,
    holds: (item) => passes(item, filter, isNews),
    order: byMaking,
    load: (before) => loadPage('/stream', { ...filterQuery(filter), before }),
  });
}

/** Everything that names whoever is signed in. */
export function mentionsOf({ me, items }: Workspace): ItemList {
  return new ItemList(items, {
    holds: ({ mentions }) => mentions.includes(me.peek().id),
    order: byMaking,
    load: (before) => loadPage('/mentions', { before }),
  });
}

async function loadPage(path: string, query: Record<string, string | null>) {
  const { items, next, seqs } = await request<StreamPage>('GET', path, { query: { ...query, limit: PAGE } });
  return { items, next, asOf: (hubId: string) => seqs[hubId] ?? 0 };
}
