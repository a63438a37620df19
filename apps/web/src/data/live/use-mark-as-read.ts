import type { Item } from '@hub/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hasAttention } from '../../lib/attention.ts';
import { openItemId } from '../../lib/router/location.ts';
import { isSheet } from '../../lib/widths.ts';
import { isUnreadIn } from '../hubs/read-state.ts';
import { useWorkspace } from './workspace.ts';

interface MarkAsReadOptions {
  /** The Hub of the list; `undefined` for a list across Hubs, in which nothing is marked. */
  hubId: string | undefined;
  kind: 'note' | 'todo';
  isShown: boolean;
}

/**
 * Marks one kind of item in a Hub as read while its list has attention. Returns a function that says which items are
 * new: they stay new until the list loses attention.
 */
export function useMarkAsRead({ hubId, kind, isShown }: MarkAsReadOptions): (item: Item) => boolean {
  const { hubs, me } = useWorkspace();
  const hub = hubId === undefined ? undefined : hubs.find(hubId);
  const unread = hub?.unreadCounts?.[kind] ?? 0;
  const isCovered = isSheet.value && openItemId.value !== null;
  const isLooking = isShown && !isCovered && hasAttention.value;
  const readSeqs = useSignal(hub?.readSeqs);
  useEffect(() => {
    // If a read mark fails, the next one covers it.
    if (hub && isLooking && unread > 0) hubs.markRead(hub.id, hub.seq, kind).catch(() => {});
  }, [hubId, isLooking, unread]);
  useEffect(() => {
    if (hubId === undefined || !isLooking) return;
    return () => {
      readSeqs.value = hubs.find(hubId)?.readSeqs;
    };
  }, [hubId, isLooking]);
  if (hubId === undefined) return (item) => hubs.isUnread(item);
  const marks = { readSeqs: readSeqs.value ?? null, mutedKeyIds: hub?.mutedKeyIds ?? null };
  return (item) => isUnreadIn(marks, item, me.value.id);
}
