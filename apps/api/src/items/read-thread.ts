import type { ReadThreadBody, UnreadMentions } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { authorOf } from './item-rights.ts';
import { threadOf } from './list-replies.ts';
import { unreadMentions } from './unread-mentions.ts';

/** Notes how far the caller has read a thread, as far as its replies are addressed to him. */
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
