import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { ItemRecord } from '../storage/item-store.ts';
import { type ItemRightsReads, MESSAGE, readableItem } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { hubPage, type PageCursor } from './list-hub-items.ts';

/** Returns a page of the replies to a message, newest first. A thread outlives its message. */
export async function listReplies(
  deps: Deps,
  caller: Caller,
  { messageId, ...cursor }: PageCursor & { messageId: string | null },
) {
  const parent = await threadOf(deps.store, caller, messageId);
  return hubPage(await deps.store.items.listReplies({ ...cursor, parentId: parent.id }), parent.hubId, messageView);
}

/** Returns the first message of a thread; throws `invalid` for a reply. */
export async function threadOf(reads: ItemRightsReads, caller: Caller, messageId: string | null): Promise<ItemRecord> {
  const parent = await readableItem(reads, caller, messageId, MESSAGE);
  if (parent.kind !== 'reply') return parent;
  throw new AppError(
    'invalid',
    `${parent.id} is a reply and has no replies of its own. Use ${parent.parentId} instead.`,
  );
}
