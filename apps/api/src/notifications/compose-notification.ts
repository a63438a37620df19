import type { Block, HubNotification } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import type { ItemRecord } from '../storage/items.ts';
import type { Store } from '../storage/store.ts';
import { firstLine, firstPlainLine } from '../workspace/items/first-line.ts';
import type { NotificationTrigger, Reason } from './notification-follower.ts';

const MAX_BODY_CODE_POINTS = 140;

const VERBS: Readonly<Record<Exclude<Reason, 'post'>, string>> = {
  mention: 'mentioned you',
  assignment: 'assigned you a to-do',
  reply: 'replied',
};

/** Returns the notification for one item, or null if the item no longer exists. */
export async function composeNotification(store: Store, trigger: NotificationTrigger): Promise<HubNotification | null> {
  const subject = await itemAndHub(store, trigger);
  if (!subject) return null;
  const { item, hubName } = subject;
  const name = await nameOf(store, trigger, item);
  const isPost = trigger.reason === 'post';
  return {
    kind: trigger.reason,
    title: isPost ? `${name} in ${hubName}` : `${name} ${VERBS[trigger.reason as keyof typeof VERBS]} in ${hubName}`,
    body: bodyOf(item),
    to: `/p/${item.id}`,
    // The next notification for the same Hub replaces this one and covers both.
    tag: isPost ? trigger.hubId : item.id,
  };
}

/** Returns one notification for `count` items in one Hub; `newest` is the last of them. */
export async function composeBurst(
  store: Store,
  newest: NotificationTrigger,
  count: number,
): Promise<HubNotification | null> {
  const subject = await itemAndHub(store, newest);
  if (!subject) return null;
  const isPost = newest.reason === 'post';
  return {
    kind: 'several',
    title: isPost ? `${count} posts in ${subject.hubName}` : `${count} notifications in ${subject.hubName}`,
    body: bodyOf(subject.item),
    to: `/hubs/${newest.hubId}`,
    tag: isPost ? newest.hubId : `${newest.hubId}-mine`,
  };
}

async function itemAndHub(store: Store, { itemId, hubId }: NotificationTrigger) {
  const [item, hub] = await Promise.all([store.items.find(itemId), store.hubs.find(hubId)]);
  if (!item || item.deletedAt !== null || !hub) return null;
  return { item, hubName: hub.name };
}

/** Returns the name to show. For a post from a program, that is the name of its key. */
async function nameOf(store: Store, { byId }: NotificationTrigger, item: ItemRecord): Promise<string> {
  if (byId !== null) return (await store.users.find(byId))?.name ?? 'An admin';
  return item.keyName ?? item.authorName;
}

function bodyOf({ title, body, blocks }: ItemRecord): string {
  if (title !== null) return firstPlainLine(title, MAX_BODY_CODE_POINTS) ?? '';
  if (blocks === null) return firstLine(body ?? '', MAX_BODY_CODE_POINTS) ?? '';
  return firstPlainLine(blocksToText(JSON.parse(blocks) as Block[]), MAX_BODY_CODE_POINTS) ?? '';
}
