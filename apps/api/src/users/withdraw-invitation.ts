import type { Invitation } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { invitationView } from './invitation-view.ts';

/** Withdraws an invitation. Its link is invalid once the response is sent. */
export async function withdrawInvitation(deps: Deps, caller: Caller, invitationId: string): Promise<Invitation> {
  const audit = auditRecord(deps, caller, {
    action: 'invitation.withdrawn',
    targetId: invitationId,
    targetName: null,
  });
  const now = deps.clock.now();
  const withdrawn = await deps.store.users.withdrawInvitation({ linkId: invitationId, now, audit });
  if (!withdrawn) throw new AppError('not_found', notFound('invitation', invitationId));
  return invitationView(withdrawn);
}
