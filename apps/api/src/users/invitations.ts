import type { CreateInvitationBody, Invitation, IssuedInvitation } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin, requireMayGrantRole } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { notFound, printable } from '../core/printable.ts';
import { isoTime } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { LinkRecord } from '../storage/users-store.ts';
import { requireConfirmed } from './confirm-session.ts';
import { requireNoAccount } from './create-user.ts';
import { emailAddress } from './email-address.ts';
import { newLink } from './links.ts';

/**
 * Creates a link that lets the invited user create an account. It replaces an open invitation for the same e-mail
 * address, since a lost link cannot be shown again.
 */
export function inviteUser(deps: Deps, sender: Caller, input: CreateInvitationBody): Promise<IssuedInvitation> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    requireMayGrantRole(caller, input.role);
    if (input.role !== undefined && input.role !== 'member') await requireConfirmed(tx, caller, deps.clock.now());
    const hubIds = [...new Set(input.hubIds ?? [])];
    for (const [index, hubId] of hubIds.entries()) await requireHub(tx, hubId, `hubIds[${index}]`);
    const subject = { email: emailAddress(input.email), role: input.role ?? 'member', hubIds } as const;
    await requireNoAccount(tx, subject.email);
    await tx.links.deleteMatching({ kind: 'invitation', email: subject.email });
    const { url, link, tokenHash } = newLink(deps, caller, 'invitation', subject);
    await tx.links.insert(link, tokenHash);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'person.invited',
        targetId: link.id,
        targetName: subject.email,
        details: { role: subject.role, hubIds },
      }),
    );
    return { ...invitationView(link), link: url };
  });
}

async function requireHub({ hubs }: Pick<Repositories, 'hubs'>, hubId: string, field: string): Promise<void> {
  const hub = await hubs.find(hubId);
  if (hub && hub.deletedAt === null) return;
  throw new AppError('not_found', `${field}: there is no Hub ${printable(hubId, 64)}`);
}

/** Returns a page of the invitations that can still be accepted, newest first. */
export async function listInvitations(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { limit, before }: PageRequest,
): Promise<Page<Invitation>> {
  const invitations = await store.users.listInvitations({ now: clock.now(), limit: limit + 1, before });
  return pageOf(invitations.map(invitationView), limit);
}

/** Withdraws an invitation. Its link is invalid once the response is sent. */
export function withdrawInvitation(deps: Deps, sender: Caller, invitationId: string): Promise<Invitation> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const link = await tx.links.find(invitationId);
    const isOpen = link?.kind === 'invitation' && link.expiresAt !== null && deps.clock.now() < link.expiresAt;
    if (!isOpen) throw new AppError('not_found', notFound('invitation', invitationId));
    await tx.links.delete(link.id);
    await tx.audit.insert(
      auditRecord(deps, caller, { action: 'invitation.withdrawn', targetId: link.id, targetName: null }),
    );
    return invitationView(link);
  });
}

/** Returns an open invitation as admins see it, without its link. */
function invitationView({ id, email, role, hubIds, createdAt, createdBy, expiresAt }: LinkRecord): Invitation {
  if (email === null || role === null || expiresAt === null) throw new Error(`${id} is not an invitation`);
  return { id, email, role, hubIds, createdAt: isoTime(createdAt), createdBy, expiresAt: isoTime(expiresAt) };
}
