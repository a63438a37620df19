import {
  LIMITS,
  type MentionPage,
  type PostingKey,
  type StreamPage,
  type TodoChange,
  type WireKind,
} from '@hub/contract';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Page } from '../../platform/paging.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { ItemPage, ItemQuery } from '../../storage/item-pages.ts';
import { type ItemKind, ROWS_OF } from '../../storage/items.ts';
import type { TRACKED_COLUMNS } from '../../storage/schema/items.table.ts';
import { readableHub, readableHubIds } from '../hubs/hub-rights.ts';
import { authorOf, readableItem, TO_DO, threadOf } from './item-rights.ts';
import { itemView, messageView, todoView } from './item-view.ts';

type PageCursor = Pick<ItemQuery, 'limit' | 'before' | 'after'>;

/** Filters as given in a query: an author can also be `me`, and an assignee `me` or `none`. */
interface ItemFilters extends Pick<ItemQuery, 'status' | 'keyId' | 'authorId'> {
  assigneeId?: string | undefined;
}

/** Returns a page of the messages, notes or to-dos of one Hub, with the event number that the page reflects. */
export async function listHubItems<View>(
  deps: Deps,
  caller: Caller,
  { hubId, kind, ...query }: PageCursor & ItemFilters & { hubId: string; kind: ItemKind },
  view: (item: ItemPage['items'][number]) => View,
) {
  const hub = await readableHub(deps.store, caller, hubId);
  const page = await findItems(deps, { ...query, ...itemFilters(caller, query), hubIds: [hub.id], kinds: [kind] });
  return hubPage(page, hub.id, view);
}

/** Returns a page of the replies to an item, newest first. A thread outlives its item. */
export async function listReplies(deps: Deps, caller: Caller, { itemId, ...cursor }: PageCursor & { itemId: string }) {
  const parent = await threadOf(deps.store, caller, itemId);
  return hubPage(await deps.store.items.listReplies({ ...cursor, parentId: parent.id }), parent.hubId, messageView);
}

function hubPage<View>(page: ItemPage, hubId: string, view: (item: ItemPage['items'][number]) => View) {
  return { items: page.items.map(view), next: page.next, seq: page.seqs[hubId] ?? 0, epoch: page.epoch };
}

const ALL_ROWS = Object.values(ROWS_OF).flat();

interface StreamQuery extends PageCursor, Pick<ItemFilters, 'keyId' | 'authorId'> {
  hubId?: string | undefined;
  kind?: WireKind | undefined;
  isUnread: boolean;
}

/** Returns a page of all items, including replies, from all Hubs that the caller may read, in order of arrival. */
export async function listStream(
  deps: Deps,
  caller: Caller,
  { hubId, kind, isUnread, keyId, authorId, ...cursor }: StreamQuery,
): Promise<StreamPage> {
  const hubIds = await hubIdsFor(deps, caller, hubId);
  const page = await deps.store.items.list({
    ...cursor,
    ...itemFilters(caller, { keyId, authorId }),
    hubIds: await hubIdsOfKey(deps, keyId, hubIds),
    kinds: kind === undefined ? ALL_ROWS : ROWS_OF[kind],
    unreadBy: isUnread ? reader(caller) : undefined,
  });
  return streamPage(page);
}

/** Returns the newest changes of a to-do's assignee, status and other fields, newest first. */
export async function listTodoChanges({ store }: Deps, caller: Caller, todoId: string): Promise<Page<TodoChange>> {
  const { id } = await readableItem(store, caller, todoId, TO_DO);
  const changes = await store.todoChanges.list(id, LIMITS.todoChanges);
  const items = changes.map(({ field, value, at, by, assigneeName }): TodoChange => {
    const to = field === 'dueAt' ? isoTimeOrNull(value === null ? null : Number(value)) : value;
    return { field: shownField(field), to: field === 'assigneeId' ? assigneeName : to, at: isoTime(at), by };
  });
  return { items, next: null };
}

function shownField(column: (typeof TRACKED_COLUMNS)[number]): TodoChange['field'] {
  if (column === 'assigneeId') return 'assignee';
  return column === 'dueAt' ? 'dueDate' : column;
}

/** Returns the id of the given Hub, if the caller may read it; without one, the ids of all Hubs that they may read. */
export async function hubIdsFor({ store }: Pick<Deps, 'store'>, caller: Caller, hubId?: string): Promise<string[]> {
  if (hubId === undefined) return readableHubIds(store, caller);
  return [(await readableHub(store, caller, hubId)).id];
}

/** Returns a page of to-dos across all Hubs that the caller may read, such as "My to-dos". */
export async function listTodos(
  deps: Deps,
  caller: Caller,
  { hubId, ...query }: PageCursor & ItemFilters & { hubId?: string | undefined },
) {
  const hubIds = await hubIdsOfKey(deps, query.keyId, await hubIdsFor(deps, caller, hubId));
  const filters = { ...query, ...itemFilters(caller, query), hubIds, kinds: ['todo'] as const };
  const { items, ...page } = await findItems(deps, filters);
  return { items: items.map(todoView), ...page };
}

/** Returns a page of mentions of and replies to the caller, newest first, from Hubs that they may read now. */
export async function listMentions(
  deps: Deps,
  caller: Caller,
  page: { limit: number; before?: string | undefined },
): Promise<MentionPage> {
  const hubIds = await readableHubIds(deps.store, caller);
  const userId = authorOf(caller).id;
  const { unreadIds, ...records } = await deps.store.items.listMentioning({ ...page, hubIds, userId });
  return { ...streamPage(records), unreadIds };
}

/** Returns the keys that have been used in the Hubs that the caller may read, for filters: each member sees their posts. */
export async function listPostingKeys(
  deps: Deps,
  caller: Caller,
  { hubId }: { hubId?: string | undefined },
): Promise<{ items: PostingKey[] }> {
  const hubIds = await hubIdsFor(deps, caller, hubId);
  const keys = await deps.store.keys.listUsed({ hubIds, limit: LIMITS.postingKeys });
  return { items: keys.map(({ lastUsedAt, ...key }) => ({ ...key, lastUsedAt: isoTime(lastUsedAt) })) };
}

/** Narrows the Hubs to the one that a key posts into, so that the others are not searched. */
async function hubIdsOfKey(
  { store }: Deps,
  keyId: string | undefined,
  hubIds: readonly string[],
): Promise<readonly string[]> {
  if (keyId === undefined) return hubIds;
  const key = await store.keys.find(keyId);
  return hubIds.filter((id) => id === key?.hubId);
}

function streamPage({ items, ...page }: ItemPage): StreamPage {
  return { items: items.map(itemView), ...page };
}

function reader({ user }: Caller): string {
  if (user !== null) return user.id;
  throw new AppError('invalid', 'unread requires a user account; the local admin has none. Leave it out.');
}

/** Resolves the filters of a list for this caller. */
export function itemFilters(
  caller: Caller,
  { status, assigneeId, keyId, authorId }: ItemFilters,
): Pick<ItemQuery, 'status' | 'assigneeId' | 'keyId' | 'authorId'> {
  return {
    status,
    keyId,
    authorId: authorId === 'me' ? own(caller, 'authorId') : authorId,
    assigneeId: assigneeId === 'none' ? null : assigneeId === 'me' ? own(caller, 'assigneeId') : assigneeId,
  };
}

/** Finds items. The to-dos of one assignee are few and have their own index. */
function findItems({ store }: Deps, query: ItemQuery): Promise<ItemPage> {
  const { assigneeId } = query;
  return typeof assigneeId === 'string' ? store.items.listAssigned({ ...query, assigneeId }) : store.items.list(query);
}

function own({ user }: Caller, name: string): string {
  if (user !== null) return user.id;
  throw new AppError('invalid', `${name} cannot be me: the local admin has no user account. Use the id of a user.`);
}
