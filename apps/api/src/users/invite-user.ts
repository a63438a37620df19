import type { CreateInvitationBody, IssuedInvitation } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { requireConfirmed } from './confirm-session.ts';
import { emailAddress } from './email-address.ts';
import { invitationView } from './invitation-view.ts';
import { newLink } from './new-link.ts';
import { requireMayGrantRole } from './user-rights.ts';

/**
 * Creates a link that lets the invited user create an account. It replaces an open invitation for the same e-mail
 * address, since a lost link cannot be shown again.
 */
export async function inviteUser(deps: Deps, caller: Caller, input: CreateInvitationBody): Promise<IssuedInvitation> {
  requireMayGrantRole(caller, input.role);
  if (input.role !== undefined && input.role !== 'member') await requireConfirmed(deps, caller);
  const hubIds = [...new Set(input.hubIds ?? [])];
  for (const [index, hubId] of hubIds.entries()) await requireHub(deps, hubId, `hubIds[${index}]`);
  const subject = { email: emailAddress(input.email), role: input.role ?? 'member', hubIds } as const;
  const { url, link, tokenHash } = newLink(deps, caller, 'invitation', subject);
  const audit = auditRecord(deps, caller, {
    action: 'person.invited',
    targetId: link.id,
    targetName: subject.email,
    details: { role: subject.role, hubIds },
  });
  await deps.store.users.createLink({ link, tokenHash, mayTouchOwners: true, audit });
  return { ...invitationView(link), link: url };
}

async function requireHub({ store }: Deps, hubId: string, field: string): Promise<void> {
  const hub = await store.hubs.find(hubId);
  if (hub && hub.deletedAt === null) return;
  throw new AppError('not_found', `${field}: there is no Hub ${printable(hubId, 64)}`);
}
