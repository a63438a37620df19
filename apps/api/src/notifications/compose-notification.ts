import type { Block, HubNotification } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import type { Deps } from '../deps.ts';
import { firstLine, firstPlainLine } from '../items/first-line.ts';
import type { ItemRecord } from '../store/item-store.ts';
import type { Concern, Reason } from './concern.ts';

/** Of what was written, a notice shows its beginning. */
const TEXT_SHOWN = 140;

type ComposeDeps = Pick<Deps, 'store'>;

const DOES: Readonly<Record<Exclude<Reason, 'post'>, string>> = {
  mention: 'mentioned you',
  assignment: 'gave you a to-do',
  reply: 'replied',
};

/** What somebody is told of one item; `null` if it is gone. */
export async function composeNotification({ store }: ComposeDeps, concern: Concern): Promise<HubNotification | null> {
  const found = await itemAndHub({ store }, concern);
  if (!found) return null;
  const { item, hubName } = found;
  const who = await nameOf({ store }, concern, item);
  const isPost = concern.reason === 'post';
  return {
    kind: concern.reason,
    title: isPost ? `${who} in ${hubName}` : `${who} ${DOES[concern.reason as keyof typeof DOES]} in ${hubName}`,
    body: wordsIn(item),
    to: `/p/${item.id}`,
    // The next one of the same Hub tells of this one, too.
    tag: isPost ? concern.hubId : item.id,
  };
}

/** What he is told of many in one Hub, of which `newest` is the last. */
export async function composeBurst(
  { store }: ComposeDeps,
  newest: Concern,
  count: number,
): Promise<HubNotification | null> {
  const found = await itemAndHub({ store }, newest);
  if (!found) return null;
  const isPost = newest.reason === 'post';
  return {
    kind: 'several',
    title: isPost ? `${count} posts in ${found.hubName}` : `${count} things for you in ${found.hubName}`,
    body: wordsIn(found.item),
    to: `/hubs/${newest.hubId}`,
    tag: isPost ? newest.hubId : `${newest.hubId}-mine`,
  };
}

async function itemAndHub({ store }: ComposeDeps, { itemId, hubId }: Concern) {
  const [item, hub] = await Promise.all([store.items.find(itemId), store.hubs.find(hubId)]);
  if (!item || item.deletedAt !== null || !hub) return null;
  return { item, hubName: hub.name };
}

/** Programs are known by the name of their key. */
async function nameOf({ store }: ComposeDeps, { byId }: Concern, item: ItemRecord): Promise<string> {
  if (byId !== null) return (await store.users.find(byId))?.name ?? 'An admin';
  return item.keyName ?? item.authorName;
}

function wordsIn({ title, body, blocks }: ItemRecord): string {
  if (title !== null) return firstPlainLine(title, TEXT_SHOWN) ?? '';
  if (blocks === null) return firstLine(body ?? '', TEXT_SHOWN) ?? '';
  return firstPlainLine(blocksToText(JSON.parse(blocks) as Block[]), TEXT_SHOWN) ?? '';
}
