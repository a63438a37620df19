import { LIMITS, type Message } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { ItemRecord } from '../storage/item-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { authorOf, findUndeletedItem, MESSAGE } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { readEmoji } from './read-emoji.ts';
import { appendItemEvent, storedItem } from './store-item.ts';

interface Reaction {
  emoji: string;
  personId: string;
  at: number;
  isOn: boolean;
}

/** Adds or removes the caller's reaction. Repeating it changes nothing. */
export async function reactToMessage(
  deps: Deps,
  sender: Caller,
  { messageId, emoji, isOn }: { messageId: string | null; emoji: string | null; isOn: boolean },
): Promise<Message> {
  const reacted = await changeAs(deps, sender, async (tx, caller) => {
    const message = await findUndeletedItem(tx, caller, messageId, MESSAGE);
    const reaction = { emoji: readEmoji(emoji), personId: authorOf(caller).id };
    return react(tx, message, { ...reaction, at: deps.clock.now(), isOn });
  });
  return messageView(reacted);
}

/** Throws `conflict` if the message has the maximum number of different reactions. */
export async function react(
  tx: Repositories,
  message: ItemRecord,
  { emoji, personId, at, isOn }: Reaction,
): Promise<ItemRecord> {
  const given = message.reactions.find((reaction) => reaction.emoji === emoji);
  if ((given?.personIds.includes(personId) ?? false) === isOn) return message;
  const reaction = { itemId: message.id, emoji, personId };
  if (!isOn) await tx.items.deleteReaction(reaction);
  else if (given || message.reactions.length < LIMITS.reactionsPerMessage) {
    await tx.items.insertReaction({ ...reaction, at });
  } else {
    throw new AppError(
      'conflict',
      `This message has ${LIMITS.reactionsPerMessage} different reactions, the maximum. Use one of those.`,
    );
  }
  await appendItemEvent(tx, message, { change: 'changed', at });
  return storedItem(tx, message.id);
}
