import type { ChangeMessageBody, Message } from '@hub/contract';
import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { findUndeletedItem, MESSAGE, requireAuthorOrAdmin } from './item-rights.ts';
import { messageView } from './item-view.ts';

/**
 * Edits a message for its author or an admin. The text also replaces any blocks, which would otherwise be shown
 * instead.
 */
export async function changeMessage(
  deps: Deps,
  caller: Caller,
  messageId: string | null,
  { text, baseVersion }: ChangeMessageBody,
): Promise<Message> {
  const message = await findUndeletedItem(deps, caller, messageId, MESSAGE);
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
    actingUser: actingUserOf(caller),
  });
  return messageView(changed);
}
