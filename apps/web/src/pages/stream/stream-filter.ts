import type { Item } from '@hub/contract';
import { KIND_CHOICES } from '../../lib/items.ts';
import { withParameters } from '../../lib/router/urls.ts';

export interface StreamFilter {
  hubId: string | null;
  kind: Item['kind'] | null;
  keyId: string | null;
  isUnread: boolean;
}

export function readFilter(query: URLSearchParams): StreamFilter {
  const kind = query.get('kind');
  return {
    hubId: query.get('hub'),
    kind: KIND_CHOICES.find((choice) => choice.kind === kind)?.kind ?? null,
    keyId: query.get('key'),
    isUnread: query.get('unread') === 'true',
  };
}

export function writeFilter(query: URLSearchParams, { hubId, kind, keyId, isUnread }: StreamFilter): URLSearchParams {
  return withParameters(query, { hub: hubId, kind, key: keyId, unread: isUnread ? 'true' : null });
}

export function filterQuery({ hubId, kind, keyId, isUnread }: StreamFilter) {
  return { hubId, kind, keyId, unread: isUnread ? ('true' as const) : null };
}

export function isFiltering({ hubId, kind, keyId, isUnread }: StreamFilter): boolean {
  return isUnread || hubId !== null || kind !== null || keyId !== null;
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
