import type { StreamPage, WireKind } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readableHub, readableHubIds } from '../hubs/hub-rights.ts';
import type { ItemPage, ItemRowKind } from '../storage/item-store.ts';
import { itemFilters } from './item-filters.ts';
import { itemView } from './item-view.ts';
import type { PageCursor } from './list-hub-items.ts';

const ROWS_OF: Record<WireKind, readonly ItemRowKind[]> = {
  message: ['message', 'reply'],
  note: ['note'],
  todo: ['todo'],
};
const ALL_ROWS = Object.values(ROWS_OF).flat();

interface StreamQuery extends PageCursor {
  hubId?: string | undefined;
  kind?: WireKind | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
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

/** Returns the id of the given Hub, if the caller may read it; without one, the ids of all Hubs that they may read. */
export async function hubIdsFor(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  hubId: string | undefined,
): Promise<string[]> {
  if (hubId === undefined) return readableHubIds(deps.store, caller);
  return [(await readableHub(deps.store, caller, hubId)).id];
}

/** Narrows the Hubs to the one that a key posts into, so that the others are not searched. */
export async function hubIdsOfKey(
  { store }: Pick<Deps, 'store'>,
  keyId: string | undefined,
  hubIds: readonly string[],
): Promise<readonly string[]> {
  if (keyId === undefined) return hubIds;
  const key = await store.keys.find(keyId);
  return hubIds.filter((id) => id === key?.hubId);
}

export function streamPage({ items, ...page }: ItemPage): StreamPage {
  return { items: items.map(itemView), ...page };
}

function reader({ user }: Caller): string {
  if (user !== null) return user.id;
  throw new AppError('invalid', 'unread requires a user account; the local admin has none. Leave it out.');
}
