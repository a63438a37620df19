import type { Block } from '@hub/contract';
import type { ItemRecord } from '../../storage/items.ts';
import type { MentioningItem } from '../../storage/mentions.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { findMentions, mayMention, readableBlocks } from './find-mentions.ts';

type Tx = Pick<Repositories, 'items' | 'memberships' | 'mentions'>;

/** Early writers are left out only in very long threads. */
const MAX_REPLIES_EXAMINED = 100;

interface MentioningText extends MentioningItem, Pick<ItemRecord, 'title' | 'body' | 'blocks'> {}

interface NewMentioningItem extends MentioningText {
  /** The user who wrote it; `null`: the bot. */
  authorId: string | null;
  parentId: string | null;
}

/** Records who is mentioned in a new item, or takes part in its thread. */
export async function recordMentions(tx: Tx, item: NewMentioningItem): Promise<void> {
  const { authorId } = item;
  const isNamed = await namedUsers(tx, item);
  const participants = await threadParticipants(tx, item);
  for (const userId of isNamed.union(participants)) {
    // A mention of yourself is stored with the item, but it is already read.
    await tx.mentions.insert(item, {
      userId,
      isNamed: isNamed.has(userId),
      hasResponse: participants.has(userId),
      isUnread: userId !== authorId,
    });
  }
}

/** Updates the mentions after an edit. Thread participants remain recipients, and read items stay read. */
export async function renewMentions(
  tx: Tx,
  item: MentioningText & Pick<ItemRecord, 'authorId'>,
  editorId: string | null,
): Promise<void> {
  const left = await namedUsers(tx, item);
  for (const { userId, isNamed, hasResponse } of await tx.mentions.list(item.id)) {
    const isStillNamed = left.delete(userId);
    if (isStillNamed !== isNamed && (isStillNamed || hasResponse)) {
      await tx.mentions.setNamed({ itemId: item.id, userId, isNamed: isStillNamed });
    } else if (!isStillNamed && !hasResponse) {
      await tx.mentions.delete(item, userId);
    }
  }
  for (const userId of left) {
    const isOwn = userId === item.authorId || userId === editorId;
    await tx.mentions.insert(item, { userId, isNamed: true, hasResponse: false, isUnread: !isOwn });
  }
}

/** Returns the active members of the Hub that the text of this item mentions. */
async function namedUsers(tx: Tx, item: MentioningText): Promise<Set<string>> {
  return mayMention(item) ? mentionedMembers(item, await tx.memberships.listActive(item.hubId)) : new Set();
}

/** Returns which of these members the text of an item mentions. */
export function mentionedMembers(
  { title, body, blocks }: Pick<MentioningText, 'title' | 'body' | 'blocks'>,
  members: Parameters<typeof findMentions>[1],
): Set<string> {
  const text = blocks === null ? body : readableBlocks(JSON.parse(blocks) as Block[]);
  return findMentions([title ?? '', text ?? ''], members);
}

/** Returns the other members of the Hub who started the thread of a reply or wrote one of its newest replies. */
async function threadParticipants(
  tx: Tx,
  { hubId, authorId, parentId }: Pick<NewMentioningItem, 'hubId' | 'authorId' | 'parentId'>,
): Promise<Set<string>> {
  const participants = new Set<string>();
  if (parentId === null) return participants;
  for (const userId of await tx.items.listThreadWriters(parentId, MAX_REPLIES_EXAMINED)) {
    if (userId !== authorId && (await tx.memberships.find(hubId, userId))) participants.add(userId);
  }
  return participants;
}
