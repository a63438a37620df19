import type { Item } from '@hub/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isSheet } from '../frame/widths.ts';
import { hasAttention } from '../hub/attention.ts';
import { openItemId } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { isBehindMark } from './read-state.ts';

interface Looking {
  /** Whose list it is; of all Hubs if it is left out, and then nothing is marked. */
  hubId: string | undefined;
  kind: 'note' | 'todo';
  /** All that is new is in the list, as far as it has room. */
  isShown: boolean;
}

/**
 * Marks a kind of a Hub as read while somebody looks at the list of it. The result tells what in it is new: that stays new until
 * he has looked away.
 */
export function useLooking({ hubId, kind, isShown }: Looking): (item: Item) => boolean {
  const { hubs, me } = useWorkspace();
  const hub = hubId === undefined ? undefined : hubs.find(hubId);
  const unread = hub?.unreadCounts?.[kind] ?? 0;
  const isCovered = isSheet.value && openItemId.value !== null;
  const isLooking = isShown && !isCovered && hasAttention.value;
  const readSeqs = useSignal(hub?.readSeqs);
  useEffect(() => {
    // What is not told to the server now is told with what comes next.
    if (hub && isLooking && unread > 0) hubs.markRead(hub.id, hub.seq, kind).catch(() => {});
  }, [hubId, isLooking, unread]);
  useEffect(() => {
    if (hubId === undefined || !isLooking) return;
    return () => {
      readSeqs.value = hubs.find(hubId)?.readSeqs;
    };
  }, [hubId, isLooking]);
  if (hubId === undefined) return (item) => hubs.isUnread(item);
  const since = readSeqs.value;
  return (item) => item.author.id !== me.value.id && isBehindMark(item, since);
}
