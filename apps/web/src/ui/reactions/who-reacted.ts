import type { Member } from '@hub/contract';

const MAX_NAMED = 12;

/** Returns "Ada, Bob and you", in order, with the user last. Former members are only counted. */
export function whoReacted(
  personIds: readonly string[],
  { myId, members }: { myId: string; members: readonly Pick<Member, 'id' | 'name'>[] },
): string {
  const others = personIds.filter((id) => id !== myId);
  const names = others.slice(0, MAX_NAMED).map((id) => members.find((member) => member.id === id)?.name);
  const known = names.filter((name) => name !== undefined);
  const unnamed = others.length - known.length;
  const all = [...known, ...(unnamed > 0 ? [unnamed === 1 ? 'one more' : `${unnamed} more`] : [])];
  if (personIds.includes(myId)) all.push('you');
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}
