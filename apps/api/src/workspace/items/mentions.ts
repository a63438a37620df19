import { type Block, LIMITS, type ReadMentionsBody, type ReadThreadBody, type UnreadMentions } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { GROUPS, hasMentionSign, nameFinder } from '@hub/contract/find-names';
import { codeParts } from '@hub/contract/markdown/code-parts';
import { normalizeText } from '@hub/contract/normalize-text';
import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { MentioningItem } from '../../storage/mentions.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { authorOf, threadOf } from './item-rights.ts';
import { namedAnswerers } from './questions.ts';

/** Returns the ids of the users whom the strings mention (find-names.ts of the contract). Code mentions no one. */
export function findMentions(texts: readonly string[], users: readonly { id: string; name: string }[]): Set<string> {
  const ids = new Set<string>();
  const find = nameFinder(users);
  for (const text of texts) {
    if (!hasMentionSign(text)) continue;
    for (const { userIds } of find(normalizeText(withoutCode(text), 'NFC'))) for (const id of userIds) ids.add(id);
  }
  return ids;
}

/** Returns the text of a message's blocks without the code in them. */
export function readableBlocks(blocks: readonly Block[]): string {
  const outside = blocks.filter(({ type }) => type !== 'code');
  return blocksToText(
    JSON.parse(JSON.stringify(outside), (_, value) => (typeof value === 'string' ? withoutCodeElements(value) : value)),
  );
}

/** Whether these texts can mention anyone. Most mention no one, and need no look-up. */
export function mayMention({ title, body, blocks }: Record<'title' | 'body' | 'blocks', string | null>): boolean {
  return hasMentionSign(blocks ?? body ?? '') || hasMentionSign(title ?? '');
}

/** Returns Markdown without its code and comments, in linear time. */
function withoutCode(markdown: string): string {
  return codeParts(markdown)
    .map(({ text, kind }) => (kind === 'text' ? text : ' '))
    .join('');
}

function withoutCodeElements(html: string): string {
  if (!html.includes('<code') && !html.includes('<CODE')) return html;
  let text = '';
  let depth = 0;
  let from = 0;
  for (const tag of html.matchAll(/<(\/?)code\b[^<>]*>/gi)) {
    if (depth === 0) text += html.slice(from, tag.index);
    depth = Math.max(0, depth + (tag[1] === '/' ? -1 : 1));
    from = tag.index + tag[0].length;
  }
  return depth === 0 ? `${text} ${html.slice(from)}` : text;
}

type Tx = Pick<Repositories, 'items' | 'memberships' | 'mentions' | 'notifications'>;

/** Early writers are left out only in very long threads. */
export const MAX_REPLIES_EXAMINED = 100;

interface MentioningText extends MentioningItem, Pick<ItemRecord, 'title' | 'body' | 'blocks' | 'question'> {}

interface NewMentioningItem extends MentioningText {
  /** The user who wrote it; `null`: the bot. */
  authorId: string | null;
  parentId: string | null;
}

/** Records whom a new item by a user mentions, and who takes part in its thread. `here`: who has a page open. */
export async function recordMentions(tx: Tx, item: NewMentioningItem, here: ReadonlySet<string>): Promise<void> {
  const { authorId } = item;
  const members = mayMention(item) || item.question !== null ? await tx.memberships.listActive(item.hubId) : [];
  const isNamed = namedMembers(item, members);
  const [isToHub, isToHere] = GROUPS.map(({ id }) => isNamed.delete(id));
  for (const { id } of members) if (id !== authorId && (isToHub || (isToHere && here.has(id)))) isNamed.add(id);
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
  const mayName = mayMention(item) || item.question !== null;
  const left = namedMembers(item, mayName ? await tx.memberships.listActive(item.hubId) : []);
  // An edit notifies nobody by a group, and members stay mentioned while it is there.
  const hasGroup = GROUPS.filter(({ id }) => left.delete(id)).length > 0;
  for (const { userId, isNamed, hasResponse } of await tx.mentions.list(item.id)) {
    const isStillNamed = left.delete(userId) || (hasGroup && isNamed);
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

/** Adds `@hub` and `@here` to whom the text of a message may mention. Notes and to-dos mention single members. */
function withGroups({ kind }: Pick<MentioningItem, 'kind'>, members: Parameters<typeof findMentions>[1]) {
  return kind === 'message' || kind === 'reply' ? [...members, ...GROUPS] : members;
}

type ActiveMembers = Awaited<ReturnType<Tx['memberships']['listActive']>>;

/** Returns which of these members, and groups, an item by a user mentions or asks. */
function namedMembers(item: MentioningText, members: ActiveMembers): Set<string> {
  return mentionedMembers(item, withGroups(item, members)).union(namedAnswerers(item, members));
}

/** Returns which of these members the text of an item mentions. */
export function mentionedMembers(
  { title, body, blocks }: Pick<MentioningText, 'title' | 'body' | 'blocks'>,
  members: Parameters<typeof findMentions>[1],
): Set<string> {
  const text = blocks === null ? body : readableBlocks(JSON.parse(blocks) as Block[]);
  return findMentions([title ?? '', text ?? ''], members);
}

/** Returns the members who began, follow or newly wrote in the thread of a reply, without its author, unless muted. */
async function threadParticipants(
  tx: Tx,
  { hubId, authorId, parentId }: Pick<NewMentioningItem, 'hubId' | 'authorId' | 'parentId'>,
): Promise<Set<string>> {
  const participants = new Set<string>();
  if (parentId === null) return participants;
  const writers = await tx.items.listThreadWriters(parentId, MAX_REPLIES_EXAMINED);
  const modes = new Map((await tx.notifications.modesOf(parentId)).map(({ userId, mode }) => [userId, mode]));
  for (const userId of new Set([...writers, ...modes.keys()])) {
    if (userId === authorId || modes.get(userId) === 'muted') continue;
    if (await tx.memberships.find(hubId, userId)) participants.add(userId);
  }
  return participants;
}

/** Marks mentions of and replies to the caller as read. They never become unread again. */
export async function readMentions(
  deps: Deps,
  caller: Caller,
  { itemIds, upTo }: ReadMentionsBody,
): Promise<UnreadMentions> {
  const userId = authorOf(caller).id;
  if ((itemIds === undefined) === (upTo === undefined)) {
    throw new AppError('invalid', 'Send either itemIds, for single items, or upTo, for an item and all older ones');
  }
  await changeAs(deps, caller, async ({ mentions }) => {
    if (itemIds) await mentions.markRead({ userId, itemIds });
    if (upTo === undefined) return;
    const globalSeq = await mentions.findGlobalSeq({ userId, itemId: upTo });
    if (globalSeq === null) throw notFound('mention', upTo);
    await mentions.markReadUpTo({ userId, globalSeq });
  });
  return unreadMentions(deps, userId);
}

/** Marks the mentions and replies in a thread that concern the caller as read, up to an event number. */
export async function readThread(
  deps: Deps,
  caller: Caller,
  { itemId, seq }: ReadThreadBody & { itemId: string },
): Promise<UnreadMentions> {
  const userId = await changeAs(deps, caller, async (tx, current) => {
    const { id, hubId } = await threadOf(tx, current, itemId);
    const { id: userId } = authorOf(current);
    await tx.mentions.markThreadRead({ userId, hubId, itemId: id, seq });
    return userId;
  });
  return unreadMentions(deps, userId);
}

/** Returns the ids of a user's unread mentions and replies, for each Hub that they are a member of. */
async function unreadMentions({ store }: Deps, userId: string): Promise<UnreadMentions> {
  const unreadIds: Record<string, string[]> = {};
  for (const hubId of await store.memberships.listHubIds(userId)) {
    const ids = await store.mentions.unreadIds({ userId, hubId, limit: LIMITS.unreadCount });
    if (ids.length > 0) unreadIds[hubId] = ids;
  }
  return { unreadIds };
}
