import type { ChangePasswordBody } from '@hub/contract';
import { auditRecord, type PersonCaller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { checkPassword } from './check-password.ts';
import { type Browser, newSession } from './new-session.ts';
import { requireGoodPassword } from './password-rules.ts';
import { showMe } from './show-me.ts';
import type { SignedIn } from './sign-in.ts';

/**
 * A new password for who knows the present one. All sessions end, in case the reason is that somebody else has one; this
 * browser gets a new one. Personal tokens stay: each can be revoked by itself.
 */
export async function changePassword(
  deps: Deps,
  caller: PersonCaller,
  browser: Browser,
  input: ChangePasswordBody,
): Promise<SignedIn> {
  const { person, address, credential } = caller;
  requireGoodPassword(input.newPassword, person.email, 'newPassword');
  const formerHash = await deps.store.people.findPasswordHash(person.id);
  const { id: personId, email } = person;
  const check = { password: input.currentPassword, hash: formerHash, email, personId, address };
  if (!(await checkPassword(deps, { ...check, sessionId: credential.id })) || formerHash === null) {
    deps.log.warn({ address, personId }, 'A change of password failed: the present one was wrong');
    // Not 401: the session is all right.
    throw new Refusal('invalid', 'The present password is wrong. Type the one with which you sign in.');
  }
  const passwordHash = await deps.passwords.hash(input.newPassword, address);
  const { token, session } = newSession(deps, person.id, browser);
  const audit = auditRecord(deps, caller, {
    action: 'password.changed',
    targetId: person.id,
    targetName: person.name,
  });
  const by = standingOf(caller);
  await deps.store.people.changePassword({ personId: person.id, formerHash, passwordHash, session, audit, by });
  return { me: await showMe(deps, person), token };
}
