import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { MESSAGE, readableItem } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { hubPage, type Place } from './list-hub-items.ts';

/** The thread under a message, newest first. A thread outlives its message. */
export async function listReplies(
  deps: Deps,
  caller: Caller,
  { messageId, ...place }: Place & { messageId: string | null },
) {
  const parent = await readableItem(deps, caller, messageId, MESSAGE);
  if (parent.kind === 'reply') {
    throw new Refusal(
      'invalid',
      `${parent.id} is a reply, which has none itself. Ask for those of ${parent.parentId}.`,
    );
  }
  return hubPage(await deps.store.items.listReplies({ ...place, parentId: parent.id }), parent.hubId, messageView);
}
