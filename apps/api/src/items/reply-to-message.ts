import type { Message, WriteMessageBody } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { findUndeletedItem, MESSAGE } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { newItem } from './new-item.ts';

/** Adds a reply to a message. Threads are one level deep. */
export async function replyToMessage(
  deps: Deps,
  caller: Caller,
  messageId: string | null,
  { text }: WriteMessageBody,
): Promise<Message> {
  const parent = await findUndeletedItem(deps, caller, messageId, MESSAGE);
  if (parent.kind === 'reply') {
    throw new AppError('invalid', `${parent.id} is itself a reply. Reply to ${parent.parentId}, the message above it.`);
  }
  const { hubId, id: parentId } = parent;
  const item = newItem(deps, caller, { kind: 'reply', hubId, parentId, body: text });
  return messageView(await deps.store.items.create(item));
}
