import { LIMITS, type ReadMentionsBody, type UnreadMentions } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { authorOf } from './item-rights.ts';
import { unreadMentions } from './unread-mentions.ts';

/** Marks mentions of and replies to the caller as read. They never become unread again. */
export async function readMentions(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { itemIds, upTo }: ReadMentionsBody,
): Promise<UnreadMentions> {
  const { mentions } = deps.store;
  const personId = authorOf(caller).id;
  if ((itemIds === undefined) === (upTo === undefined)) {
    throw new AppError('invalid', 'Send either itemIds, for single items, or upTo, for an item and all older ones');
  }
  if (itemIds && itemIds.length > LIMITS.unreadCount) {
    throw new AppError('invalid', `itemIds has ${itemIds.length} ids; at most ${LIMITS.unreadCount} are accepted`);
  }
  if (itemIds) await mentions.markRead({ personId, itemIds });
  if (upTo !== undefined && !(await mentions.markReadUpTo({ personId, itemId: upTo }))) {
    throw new AppError('not_found', notFound('mention', upTo));
  }
  return unreadMentions(deps, personId);
}
