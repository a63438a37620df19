import type { Message } from '@hub/contract';
import { useSignalEffect } from '@preact/signals';
import { hasAttention } from '../hub/attention.ts';
import type { FeedView } from '../hub/feed-view.ts';
import type { ItemList } from '../items/item-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** Marks a thread as read while its end is in view, just like a conversation. */
export function useReadThread(message: Message, { list, view }: { list: ItemList; view: FeedView }): void {
  const { mentions } = useWorkspace().hubs;
  useSignalEffect(() => {
    const looked = [message, ...list.items.value];
    const isAtEnd = hasAttention.value && view.isPlaced.value && view.isAtEnd.value && !list.hasNewer.value;
    if (isAtEnd && looked.some(({ id }) => mentions.has(id)))
      mentions.markThreadRead(message.id, looked).catch(() => {});
  });
}
