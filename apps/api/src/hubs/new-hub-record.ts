import type { Deps } from '../deps.ts';
import type { HubRecord } from '../storage/records.ts';

/** Returns the record of a new Hub, with the ids of its conversation and its two buckets. */
export function newHubRecord({ clock, newId }: Pick<Deps, 'clock' | 'newId'>, name: string): HubRecord {
  return {
    id: newId('hub'),
    name: name.trim(),
    conversationId: newId('cnv'),
    notesBucketId: newId('bkt'),
    todosBucketId: newId('bkt'),
    createdAt: clock.now(),
    deletedAt: null,
    retentionDays: null,
  };
}
