import type { Member } from '@hub/contract';
import { auditRecord, type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
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
  if (!isAdmin(caller) && caller.user?.id !== personId) {
    throw new AppError(
      'forbidden',
      'Only admins of the workspace remove others from a Hub. You can leave it yourself.',
    );
  }
  const [membership, user] = await Promise.all([store.memberships.find(hub.id, personId), store.users.find(personId)]);
  if (!membership || !user) throw notAMember(personId, hub.name);
  const audit = auditRecord(deps, caller, {
    action: 'member.removed',
    hubId: hub.id,
    targetId: user.id,
    targetName: user.name,
  });
  if (!(await store.memberships.remove({ hubId: hub.id, personId, at: clock.now(), audit }))) {
    throw notAMember(personId, hub.name);
  }
  return memberView(membership, user);
}

/** Of an undecodable path the router makes `null`. */
function notAMember(personId: string | null, hubName: string): AppError {
  const whom = personId === null ? 'such member' : `member ${printable(personId, 64)}`;
  return new AppError('not_found', `The Hub "${hubName}" has no ${whom}.`);
}
