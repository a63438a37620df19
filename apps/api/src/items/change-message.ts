import type { ChangeMessageBody, Message } from '@hub/contract';
import { type Caller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { MESSAGE, presentItem, requireAuthorOrAdmin } from './item-rights.ts';
import { messageView } from './item-view.ts';

/** Another text, by the author or an admin. It takes the place of the blocks too, which would be shown instead of it. */
export async function changeMessage(
  deps: Deps,
  caller: Caller,
  messageId: string | null,
  { text, baseVersion }: ChangeMessageBody,
): Promise<Message> {
  const message = await presentItem(deps, caller, messageId, MESSAGE);
  requireAuthorOrAdmin(caller, message);
  const changed = await deps.store.items.change({
    itemId: message.id,
    at: deps.clock.now(),
    personId: caller.person?.id ?? null,
    changes: { body: text, blocks: null },
    baseVersion,
    by: standingOf(caller),
  });
  return messageView(changed);
}
