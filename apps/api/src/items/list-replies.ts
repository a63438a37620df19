import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { ItemRecord } from '../store/item-store.ts';
import { MESSAGE, readableItem } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { hubPage, type Place } from './list-hub-items.ts';

/** The thread under a message, newest first. A thread outlives its message. */
export async function listReplies(
  deps: Deps,
  caller: Caller,
  { messageId, ...place }: Place & { messageId: string | null },
) {
  const parent = await threadOf(deps, caller, messageId);
  return hubPage(await deps.store.items.listReplies({ ...place, parentId: parent.id }), parent.hubId, messageView);
}

/** The message with which a thread begins; a reply begins none. */
export async function threadOf(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  messageId: string | null,
): Promise<ItemRecord> {
  const parent = await readableItem(deps, caller, messageId, MESSAGE);
  if (parent.kind !== 'reply') return parent;
  throw new AppError('invalid', `${parent.id} is a reply, which has none itself. Ask for those of ${parent.parentId}.`);
}
