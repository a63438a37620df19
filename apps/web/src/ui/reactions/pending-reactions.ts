import type { Message, Reaction } from '@hub/contract';

/** Pending toggles by emoji: whether the reaction is to be added. */
export type PendingReactions = ReadonlyMap<string, boolean>;

/** Returns the reactions with the user's pending toggles applied. */
export function withPending(
  { reactions }: Pick<Message, 'reactions'>,
  pending: PendingReactions,
  myId: string,
): Reaction[] {
  const known = reactions.map(({ emoji, personIds }) => {
    const isOn = pending.get(emoji);
    return isOn === undefined ? { emoji, personIds } : { emoji, personIds: withMine(personIds, myId, isOn) };
  });
  const added = [...pending]
    .filter(([emoji, isOn]) => isOn && !reactions.some((reaction) => reaction.emoji === emoji))
    .map(([emoji]) => ({ emoji, personIds: [myId] }));
  return [...known, ...added].filter(({ personIds }) => personIds.length > 0);
}

function withMine(personIds: readonly string[], myId: string, isOn: boolean): string[] {
  if (!isOn) return personIds.filter((id) => id !== myId);
  return personIds.includes(myId) ? [...personIds] : [...personIds, myId];
}
