import type { ChangeMessageBody, Message } from '@hub/contract';
import { auditRecord, type Caller, stateOf } from '../actor.ts';
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
  const isAuthor = message.authorKind === 'person' && message.authorId === caller.user?.id;
  const audit = auditRecord(deps, caller, {
    action: 'item.edited',
    hubId: message.hubId,
    targetId: message.id,
    targetName: null,
    details: { kind: 'message', author: message.authorName },
  });
  const changed = await deps.store.items.change({
    itemId: message.id,
    at: deps.clock.now(),
    personId: caller.user?.id ?? null,
    changes: { body: text, blocks: null },
    baseVersion,
    audit: isAuthor ? undefined : audit,
    by: stateOf(caller),
  });
  return messageView(changed);
}
