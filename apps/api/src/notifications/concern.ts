import type { Deps } from '../deps.ts';
import type { EventRecord, ItemRecord } from '../store/item-store.ts';
import type { Recipient } from '../store/notification-store.ts';

/** Why somebody is told of something; of several reasons the first counts. */
export type Reason = 'mention' | 'assignment' | 'reply' | 'post';

/** That something concerns somebody. */
export interface Concern {
  reason: Reason;
  hubId: string;
  itemId: string;
  keyId: string | null;
  /** Who has done it; `null`: who wrote the item. */
  byId: string | null;
}

/** Whom an event concerns, and why, without asking what they want to hear of. Nobody is told of what he has done himself. */
export async function concernsOf(
  { mentions, notifications }: Pick<Deps['store'], 'mentions' | 'notifications'>,
  event: EventRecord,
): Promise<Map<string, Concern>> {
  const concerns = new Map<string, Concern>();
  const { item, hubId } = event;
  if (!item || item.deletedAt !== null) return concerns;
  const concern = (personId: string, reason: Reason, byId: string | null = null): void => {
    if (personId === (byId ?? item.authorId) || concerns.has(personId)) return;
    concerns.set(personId, { reason, hubId, itemId: item.id, keyId: item.keyId, byId });
  };
  if (isAssignment(event, item)) concern(event.data.assigneeId, 'assignment', event.data.byId ?? '');
  if (!event.event.endsWith('.created')) return concerns;
  for (const personId of item.mentions) concern(personId, 'mention');
  if (item.assigneeId !== null) concern(item.assigneeId, 'assignment');
  if (item.parentId !== null) {
    for (const personId of await mentions.responded(item.id)) concern(personId, 'reply');
  }
  const targets = [hubId, item.keyId].filter((id) => id !== null);
  for (const personId of await notifications.wantingEvery(targets)) concern(personId, 'post');
  return concerns;
}

interface Assignment {
  assigneeId: string;
  /** `null`: the local admin. */
  byId: string | null;
}

/** Whether it gave the to-do to somebody, who has it still. */
function isAssignment(event: EventRecord, item: ItemRecord): event is EventRecord & { data: Assignment } {
  return (
    event.event === 'todo.changed' &&
    item.status === 'open' &&
    item.assigneeId !== null &&
    event.data?.assigneeId === item.assigneeId
  );
}

/** Whether this person wants to hear of it; quiet hours are another question. */
export function isWanted({ isReader, modes, ...choices }: Recipient, reason: Reason): boolean {
  if (!isReader || modes.some(({ mode }) => mode === 'muted')) return false;
  if (modes.some(({ mode }) => mode === 'every')) return true;
  if (reason === 'mention') return choices.mentions;
  if (reason === 'assignment') return choices.assignments;
  return reason === 'reply' && choices.replies;
}
