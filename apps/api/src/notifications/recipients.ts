import type { Deps } from '../context/deps.ts';
import type { EventRecord } from '../storage/event-store.ts';
import type { ItemRecord } from '../storage/item-store.ts';
import type { Recipient } from '../storage/notification-store.ts';

/** Why a user is notified. If several reasons apply, the first one in this order is used. */
export type Reason = 'mention' | 'assignment' | 'reply' | 'post';

/** The event that a user may be notified about, and why. */
export interface NotificationTrigger {
  reason: Reason;
  hubId: string;
  itemId: string;
  keyId: string | null;
  /** The user who caused the event; `null` if the notification names the author of the item. */
  byId: string | null;
}

/**
 * Returns the recipients of an event, each with the reason. Their notification settings are not checked here. Users
 * are never notified about their own actions.
 */
export async function findRecipients(
  { mentions, notifications }: Pick<Deps['store'], 'mentions' | 'notifications'>,
  event: EventRecord,
): Promise<Map<string, NotificationTrigger>> {
  const recipients = new Map<string, NotificationTrigger>();
  const { item, hubId } = event;
  if (!item || item.deletedAt !== null) return recipients;
  const add = (personId: string, reason: Reason, byId: string | null = null): void => {
    if (personId === (byId ?? item.authorId) || recipients.has(personId)) return;
    recipients.set(personId, { reason, hubId, itemId: item.id, keyId: item.keyId, byId });
  };
  if (isAssignment(event, item)) add(event.data.assigneeId, 'assignment', event.data.byId ?? '');
  if (!event.event.endsWith('.created')) return recipients;
  for (const personId of item.mentions) add(personId, 'mention');
  if (item.assigneeId !== null) add(item.assigneeId, 'assignment');
  if (item.parentId !== null) {
    for (const personId of await mentions.threadParticipants(item.id)) add(personId, 'reply');
  }
  const targets = [hubId, item.keyId].filter((id) => id !== null);
  for (const personId of await notifications.wantingAllPosts(targets)) add(personId, 'post');
  return recipients;
}

interface Assignment {
  assigneeId: string;
  /** `null` for the local admin. */
  byId: string | null;
}

/** Returns whether the event assigned the to-do to the user who is still its assignee. */
function isAssignment(event: EventRecord, item: ItemRecord): event is EventRecord & { data: Assignment } {
  return (
    event.event === 'todo.changed' &&
    item.status === 'open' &&
    item.assigneeId !== null &&
    event.data?.assigneeId === item.assigneeId
  );
}

/** Returns whether the recipient's settings allow this notification; quiet hours are checked elsewhere. */
export function isWanted({ isReader, modes, ...choices }: Recipient, reason: Reason): boolean {
  if (!isReader || modes.some(({ mode }) => mode === 'muted')) return false;
  if (modes.some(({ mode }) => mode === 'every')) return true;
  if (reason === 'mention') return choices.mentions;
  if (reason === 'assignment') return choices.assignments;
  return reason === 'reply' && choices.replies;
}
