import type { Hub } from '@hub/contract';
import type { HubRecord } from '../store/store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

/** A Hub as it leaves the server. */
export function hubView(hub: HubRecord): Hub {
  return {
    id: hub.id,
    name: hub.name,
    conversationId: hub.conversationId,
    notesBucketId: hub.notesBucketId,
    todosBucketId: hub.todosBucketId,
    createdAt: isoTime(hub.createdAt),
    deletedAt: isoTimeOrNull(hub.deletedAt),
  };
}
