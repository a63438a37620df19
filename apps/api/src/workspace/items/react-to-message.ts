import { LIMITS } from '@hub/contract';
import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { authorOf, findUndeletedItem, MESSAGE } from './item-rights.ts';
import { appendItemEvent, storedItem } from './write-item.ts';

interface Reaction {
  emoji: string;
  userId: string;
  at: number;
  isOn: boolean;
}

/** Adds or removes the caller's reaction. Repeating it changes nothing. */
export function reactToMessage(
  deps: Deps,
  caller: Caller,
  { messageId, emoji, isOn }: { messageId: string; emoji: string; isOn: boolean },
): Promise<ItemRecord> {
  return changeAs(deps, caller, async (tx, current) => {
    const message = await findUndeletedItem(tx, current, messageId, MESSAGE);
    const reaction = { emoji: readEmoji(emoji), userId: authorOf(current).id };
    return react(tx, message, { ...reaction, at: deps.clock.now(), isOn });
  });
}

/** Throws `conflict` if the message has the maximum number of different reactions. */
async function react(
  tx: Repositories,
  message: ItemRecord,
  { emoji, userId, at, isOn }: Reaction,
): Promise<ItemRecord> {
  const present = message.reactions.find((reaction) => reaction.emoji === emoji);
  if ((present?.userIds.includes(userId) ?? false) === isOn) return message;
  const reaction = { itemId: message.id, emoji, userId };
  if (!isOn) await tx.items.deleteReaction(reaction);
  else if (present || message.reactions.length < LIMITS.reactionsPerMessage) {
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

const PRESENTATION = '\u{fe0f}';
/** An emoji recommended for general interchange (Unicode Technical Standard 51), including skin tones and sequences. */
const EMOJI = /^\p{RGI_Emoji}$/v;
/** Characters shown as text unless U+FE0F follows; a skin tone has the same effect. */
const TEXT_BY_DEFAULT = /[\p{Emoji}--\p{Emoji_Presentation}--\p{Emoji_Modifier}](?!\p{Emoji_Modifier})/gv;

/** Returns the canonical spelling of an emoji (`❤️` for `❤`), by which it is counted, or throws `invalid`. */
export function readEmoji(text: string): string {
  const bare = text.replaceAll(PRESENTATION, '');
  const spellings = [text, bare, bare.replace(TEXT_BY_DEFAULT, `$&${PRESENTATION}`)];
  const emoji = spellings.find((spelling) => EMOJI.test(spelling));
  if (emoji === undefined) throw new AppError('invalid', 'A reaction must be a single emoji, such as 👍');
  return emoji;
}
