import type { Message, WriteMessageBody } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { messageView } from './item-view.ts';
import { newItem } from './new-item.ts';

/** Creates a user's message. */
export async function writeMessage(
  deps: Deps,
  caller: Caller,
  hubId: string | null,
  { text }: WriteMessageBody,
): Promise<Message> {
  const hub = await readableHub(deps.store, caller, hubId);
  const item = newItem(deps, caller, { kind: 'message', hubId: hub.id, body: text });
  return messageView(await deps.store.items.create(item));
}
