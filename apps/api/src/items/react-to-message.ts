import type { Message } from '@hub/contract';
import { type Caller, stateOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { authorOf, MESSAGE, presentItem } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { readEmoji } from './read-emoji.ts';

/** Puts the caller's reaction there, or takes it away. Repeating it changes nothing. */
export async function reactToMessage(
  deps: Deps,
  caller: Caller,
  { messageId, emoji, isOn }: { messageId: string | null; emoji: string | null; isOn: boolean },
): Promise<Message> {
  const message = await presentItem(deps, caller, messageId, MESSAGE);
  const reacted = await deps.store.items.react({
    itemId: message.id,
    emoji: readEmoji(emoji),
    personId: authorOf(caller).id,
    at: deps.clock.now(),
    isOn,
    by: stateOf(caller),
  });
  return messageView(reacted);
}
