import type { Item } from '@hub/contract';
import { KIND_CHOICES } from '../../lib/items.ts';
import { flagIn, oneIn, textIn, urlFilters } from '../../lib/router/filters.ts';

export interface StreamFilter {
  hubId: string | null;
  kind: Item['kind'] | null;
  keyId: string | null;
  isUnread: boolean;
}

export const streamFilters = urlFilters<StreamFilter>({
  hubId: textIn('hub'),
  kind: oneIn(
    'kind',
    KIND_CHOICES.map(({ kind }) => kind),
    null,
  ),
  keyId: textIn('key'),
  isUnread: flagIn('unread'),
});

export function filterQuery({ hubId, kind, keyId, isUnread }: StreamFilter) {
  return { hubId, kind, keyId, unread: isUnread ? ('true' as const) : null };
}

/** Whether an item passes the filter. `isNew`: whether others wrote it after the read marker of its Hub. */
export function passes(
  item: Item,
  { hubId, kind, keyId, isUnread }: StreamFilter,
  isNew: (item: Item) => boolean,
): boolean {
  if (hubId !== null && item.hubId !== hubId) return false;
  if (kind !== null && item.kind !== kind) return false;
  if (keyId !== null && item.key?.id !== keyId) return false;
  return !isUnread || isNew(item);
}
