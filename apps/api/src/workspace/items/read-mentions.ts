import { LIMITS, type ReadMentionsBody, type ReadThreadBody, type UnreadMentions } from '@hub/contract';
import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { authorOf, threadOf } from './item-rights.ts';

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
  { messageId, seq }: ReadThreadBody & { messageId: string | null },
): Promise<UnreadMentions> {
  const userId = await changeAs(deps, caller, async (tx, current) => {
    const { id, hubId } = await threadOf(tx, current, messageId);
    const { id: userId } = authorOf(current);
    await tx.mentions.markThreadRead({ userId, hubId, messageId: id, seq });
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
