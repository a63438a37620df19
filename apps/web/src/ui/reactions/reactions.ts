import type { Member, Message, Reaction } from '@hub/contract';
import { LOCALE } from '../../lib/time/format.ts';

/** Returns the reactions to a message once this user has added or removed one. */
export function withReaction(
  { reactions }: Pick<Message, 'reactions'>,
  { emoji, userId, isOn }: { emoji: string; userId: string; isOn: boolean },
): Reaction[] {
  const isThere = reactions.some((reaction) => reaction.emoji === emoji);
  const all = isThere ? reactions : [...reactions, { emoji, userIds: [] }];
  const changed = all.map((reaction) => {
    const { userIds } = reaction;
    if (reaction.emoji !== emoji) return reaction;
    return { emoji, userIds: isOn ? [...new Set([...userIds, userId])] : userIds.filter((id) => id !== userId) };
  });
  return changed.filter(({ userIds }) => userIds.length > 0);
}

const MAX_NAMED = 12;
const list = new Intl.ListFormat(LOCALE);

/** Returns "Ada, Bob and you", in order, with the user last. Former members are only counted. */
export function whoReacted(
  userIds: readonly string[],
  { myId, members }: { myId: string; members: readonly Pick<Member, 'id' | 'name'>[] },
): string {
  const others = userIds.filter((id) => id !== myId);
  const names = others.slice(0, MAX_NAMED).flatMap((id) => members.find((member) => member.id === id)?.name ?? []);
  const unnamed = others.length - names.length;
  if (unnamed > 0) names.push(unnamed === 1 ? 'one more' : `${unnamed} more`);
  if (userIds.includes(myId)) names.push('you');
  return list.format(names);
}
