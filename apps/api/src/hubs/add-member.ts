import type { Member } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { visibleHub } from './hub-rights.ts';
import { memberView } from './member-view.ts';

/** Adds a user to a Hub as a member. Adding an existing member changes nothing. */
export async function addMember(deps: Deps, caller: Caller, hubId: string, personId: string): Promise<Member> {
  const { store, clock } = deps;
  const hub = await visibleHub(deps.store, caller, hubId);
  const user = await store.users.find(personId);
  if (!user) throw new AppError('not_found', notFound('user', personId));
  const audit = auditRecord(deps, caller, {
    action: 'member.added',
    hubId: hub.id,
    targetId: user.id,
    targetName: user.name,
  });
  const membership = await store.memberships.add({ hubId: hub.id, personId: user.id, at: clock.now(), audit });
  if (!membership) throw new AppError('not_found', `The Hub ${hub.id} was deleted. Restore it before you add members.`);
  return memberView(membership, user);
}
