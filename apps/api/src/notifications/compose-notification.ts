import type { Block, HubNotification, ItemFile } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import type { ItemRecord } from '../storage/items.ts';
import type { Store } from '../storage/store.ts';
import { firstLine, firstPlainLine } from '../workspace/items/first-line.ts';
import { mayAnswer, questionView } from '../workspace/items/questions.ts';
import type { NotificationTrigger, Reason } from './notification-follower.ts';

const MAX_BODY_CODE_POINTS = 140;

const VERBS: Readonly<Record<Exclude<Reason, 'post'>, string>> = {
  mention: 'mentioned you',
  assignment: 'assigned you a to-do',
  reply: 'replied',
};

/** The buttons that browsers show on a notification. */
const MAX_ACTIONS = 2;

/** Returns the notification of this user for one item, or null if the item no longer exists. */
export async function composeNotification(
  store: Store,
  { userId, ...trigger }: NotificationTrigger & { userId: string },
): Promise<HubNotification | null> {
  const subject = await itemAndHub(store, trigger);
  if (!subject) return null;
  const { item, hubName } = subject;
  const name = await nameOf(store, trigger, item);
  const isPost = trigger.reason === 'post';
  const question = item.question === null ? null : questionView(item);
  const verb = question && trigger.reason === 'mention' ? 'asks you' : VERBS[trigger.reason as keyof typeof VERBS];
  const choices = question?.state === 'open' ? question.choices : null;
  const user = choices && (await store.users.find(userId));
  return {
    kind: trigger.reason,
    title: isPost ? `${name} in ${hubName}` : `${name} ${verb} in ${hubName}`,
    body: bodyOf(item),
    to: `/p/${item.id}`,
    // The next notification for the same Hub replaces this one and covers both.
    tag: isPost ? trigger.hubId : item.id,
    ...(question && choices && user && mayAnswer(question, user) ? { choices: choices.slice(0, MAX_ACTIONS) } : {}),
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

function bodyOf({ title, body, blocks, files }: ItemRecord): string {
  if (title !== null) return firstPlainLine(title, MAX_BODY_CODE_POINTS) ?? '';
  if (body === null && blocks === null && files !== null)
    return (JSON.parse(files) as ItemFile[])
      .map(({ name }) => name)
      .join(', ')
      .slice(0, MAX_BODY_CODE_POINTS);
  if (blocks === null) return firstLine(body ?? '', MAX_BODY_CODE_POINTS) ?? '';
  return firstPlainLine(blocksToText(JSON.parse(blocks) as Block[]), MAX_BODY_CODE_POINTS) ?? '';
}
