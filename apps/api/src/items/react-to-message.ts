import type { Message } from '@hub/contract';
import { actingUserOf, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { authorOf, findUndeletedItem, MESSAGE } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { readEmoji } from './read-emoji.ts';

/** Adds or removes the caller's reaction. Repeating it changes nothing. */
export async function reactToMessage(
  deps: Deps,
  caller: Caller,
  { messageId, emoji, isOn }: { messageId: string | null; emoji: string | null; isOn: boolean },
): Promise<Message> {
  const message = await findUndeletedItem(deps, caller, messageId, MESSAGE);
  const reacted = await deps.store.items.react({
    itemId: message.id,
    emoji: readEmoji(emoji),
    personId: authorOf(caller).id,
    at: deps.clock.now(),
    isOn,
    actingUser: actingUserOf(caller),
  });
  return messageView(reacted);
}
