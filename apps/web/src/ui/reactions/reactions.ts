import type { Member, Message, Reaction } from '@hub/contract';

/** Pending toggles by emoji: whether the reaction is to be added. */
export type PendingReactions = ReadonlyMap<string, boolean>;

export function withPending(
  { reactions }: Pick<Message, 'reactions'>,
  pending: PendingReactions,
  myId: string,
): Reaction[] {
  const present = reactions.map(({ emoji, userIds }) => {
    const isOn = pending.get(emoji);
    return isOn === undefined ? { emoji, userIds } : { emoji, userIds: withMine(userIds, myId, isOn) };
  });
  const added = [...pending]
    .filter(([emoji, isOn]) => isOn && !reactions.some((reaction) => reaction.emoji === emoji))
    .map(([emoji]) => ({ emoji, userIds: [myId] }));
  return [...present, ...added].filter(({ userIds }) => userIds.length > 0);
}

function withMine(userIds: readonly string[], myId: string, isOn: boolean): string[] {
  if (!isOn) return userIds.filter((id) => id !== myId);
  return userIds.includes(myId) ? [...userIds] : [...userIds, myId];
}

const MAX_NAMED = 12;

/** Returns "Ada, Bob and you", in order, with the user last. Former members are only counted. */
export function whoReacted(
  userIds: readonly string[],
  { myId, members }: { myId: string; members: readonly Pick<Member, 'id' | 'name'>[] },
): string {
  const others = userIds.filter((id) => id !== myId);
  const names = others.slice(0, MAX_NAMED).map((id) => members.find((member) => member.id === id)?.name);
  const knownNames = names.filter((name) => name !== undefined);
  const unnamed = others.length - knownNames.length;
  const all = [...knownNames, ...(unnamed > 0 ? [unnamed === 1 ? 'one more' : `${unnamed} more`] : [])];
  if (userIds.includes(myId)) all.push('you');
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}
