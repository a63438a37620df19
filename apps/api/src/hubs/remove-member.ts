import type { Member } from '@hub/contract';
import { auditRecord, type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { visibleHub } from './hub-rights.ts';
import { memberView } from './member-view.ts';

/**
 * Ends a membership and its live views. Admins can remove any member; members can only remove themselves. To-dos stay
 * assigned to the former member.
 */
export function removeMember(
  deps: Deps,
  sender: Caller,
  { hubId, personId }: { hubId: string; personId: string },
): Promise<Member> {
  return changeAs(deps, sender, async (tx, caller) => {
    const hub = await visibleHub(tx, caller, hubId);
    if (!isAdmin(caller) && caller.user?.id !== personId) {
      throw new AppError(
        'forbidden',
        'Only workspace admins can remove other members from a Hub. You can leave it yourself.',
      );
    }
    const [membership, user] = [await tx.memberships.find(hub.id, personId), await tx.users.find(personId)];
    if (!membership || !user) throw notAMember(personId, hub.name);
    const { id, name } = user;
    const audit = auditRecord(deps, caller, {
      action: 'member.removed',
      hubId: hub.id,
      targetId: id,
      targetName: name,
    });
    await tx.memberships.delete(hub.id, id);
    await tx.events.append({ hubId: hub.id, at: audit.at, event: 'member.removed', itemId: null, data: { id, name } });
    await tx.audit.insert(audit);
    return memberView(membership, user);
  });
}

/** `null` if the router could not decode the path. */
function notAMember(personId: string | null, hubName: string): AppError {
  const member = personId === null ? 'such member' : `member ${printable(personId, 64)}`;
  return new AppError('not_found', `The Hub "${hubName}" has no ${member}.`);
}
