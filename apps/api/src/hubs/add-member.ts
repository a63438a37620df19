import type { Member } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { findHub } from './find-hub.ts';
import { joinHub } from './join-hub.ts';
import { memberView } from './member-view.ts';

/** Adds a user to a Hub as a member. Adding an existing member changes nothing. */
export function addMember(deps: Deps, sender: Caller, hubId: string, personId: string): Promise<Member> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const hub = await findHub(tx, hubId);
    const user = await tx.users.find(personId);
    if (!user) throw new AppError('not_found', notFound('user', personId));
    if (hub.deletedAt !== null) {
      throw new AppError('not_found', `The Hub ${hub.id} was deleted. Restore it before you add members.`);
    }
    const audit = auditRecord(deps, caller, {
      action: 'member.added',
      hubId: hub.id,
      targetId: user.id,
      targetName: user.name,
    });
    return memberView(await joinHub(tx, { hubId: hub.id, user, audit }), user);
  });
}
