import type { ReadThreadBody, UnreadMentions } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { authorOf } from './item-rights.ts';
import { threadOf } from './list-replies.ts';
import { unreadMentions } from './unread-mentions.ts';

/** Marks the mentions and replies in a thread that concern the caller as read, up to an event number. */
export async function readThread(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { messageId, seq }: ReadThreadBody & { messageId: string | null },
): Promise<UnreadMentions> {
  const { id } = await threadOf(deps, caller, messageId);
  const personId = authorOf(caller).id;
  await deps.store.mentions.markThreadRead({ personId, messageId: id, seq });
  return unreadMentions(deps, personId);
}
