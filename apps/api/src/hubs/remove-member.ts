import type { Member } from '@hub/contract';
import { auditRecord, type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { visibleHub } from './hub-rights.ts';
import { memberView } from './member-view.ts';

/**
 * Ends a membership and its live views. Admins can remove any member; members can only remove themselves. To-dos stay
 * assigned to the former member.
 */
export async function removeMember(
  deps: Deps,
  caller: Caller,
  { hubId, personId }: { hubId: string; personId: string },
): Promise<Member> {
  const { store, clock } = deps;
  const hub = await visibleHub(deps.store, caller, hubId);
  if (!isAdmin(caller) && caller.user?.id !== personId) {
    throw new AppError(
      'forbidden',
      'Only workspace admins can remove other members from a Hub. You can leave it yourself.',
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

/** `null` if the router could not decode the path. */
function notAMember(personId: string | null, hubName: string): AppError {
  const member = personId === null ? 'such member' : `member ${printable(personId, 64)}`;
  return new AppError('not_found', `The Hub "${hubName}" has no ${member}.`);
}
