import type { Member } from '@hub/contract';
import { auditRecord, type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { printable } from '../printable.ts';
import { visibleHub } from './hub-rights.ts';
import { memberView } from './member-view.ts';

/**
 * Ends a membership, and every live view that rests on it: an admin's doing, or a member's own who leaves. To-dos that
 * are assigned to the person stay so.
 */
export async function removeMember(
  deps: Deps,
  caller: Caller,
  { hubId, personId }: { hubId: string; personId: string },
): Promise<Member> {
  const { store, clock } = deps;
  const hub = await visibleHub(deps, caller, hubId);
  if (!isAdmin(caller) && caller.person?.id !== personId) {
    throw new Refusal('forbidden', 'Only admins of the workspace remove others from a Hub. You can leave it yourself.');
  }
  const [membership, person] = await Promise.all([
    store.memberships.find(hub.id, personId),
    store.people.find(personId),
  ]);
  if (!membership || !person) throw notAMember(personId, hub.name);
  const audit = auditRecord(deps, caller, {
    action: 'member.removed',
    hubId: hub.id,
    targetId: person.id,
    targetName: person.name,
  });
  if (!(await store.memberships.remove({ hubId: hub.id, personId, at: clock.now(), audit }))) {
    throw notAMember(personId, hub.name);
  }
  return memberView(membership, person);
}

/** Of an undecodable path the router makes `null`. */
function notAMember(personId: string | null, hubName: string): Refusal {
  const whom = personId === null ? 'such member' : `member ${printable(personId, 64)}`;
  return new Refusal('not_found', `The Hub "${hubName}" has no ${whom}.`);
}
