import type { IssuedLink } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { isoTimeOrNull } from '../time.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findPerson } from './find-person.ts';
import { newLink } from './new-link.ts';
import { mayTouchOwners } from './person-rights.ts';

/**
 * A link with which somebody else chooses a new password. The local admin may make one for a lost owner too. For oneself it
 * would be a way around the present password, for whoever has got hold of a session or a token.
 */
export async function createResetLink(deps: Deps, caller: Caller, personId: string): Promise<IssuedLink> {
  const person = await findPerson(deps, personId);
  if (caller.person?.id === person.id) {
    throw new Refusal(
      'conflict',
      'Nobody makes a reset link for himself. Change the password with the present one, or ask another admin or owner.',
    );
  }
  await requireConfirmed(deps, caller);
  const { url, link, tokenHash } = newLink(deps, caller, 'password_reset', { personId: person.id });
  const audit = auditRecord(deps, caller, {
    action: 'password.reset_link',
    targetId: person.id,
    targetName: person.name,
    details: { linkId: link.id },
  });
  await deps.store.people.createLink({ link, tokenHash, mayTouchOwners: mayTouchOwners(caller), audit });
  return { link: url, expiresAt: isoTimeOrNull(link.expiresAt) };
}
