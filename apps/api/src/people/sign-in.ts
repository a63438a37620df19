import { ACCOUNT_DISABLED, type Me, type SignInBody } from '@hub/contract';
import { auditRecord, personActor } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { checkPassword } from './check-password.ts';
import { normalizedEmail } from './email-address.ts';
import { type Browser, newSession } from './new-session.ts';
import { showMe } from './show-me.ts';

export interface SignedIn {
  me: Me;
  /** For the cookie. */
  token: string;
}

/**
 * A session for who knows the password. A failure does not tell whether there is such an account, neither by its words
 * nor by its time; `checkPassword` slows and bounds them.
 */
export async function signIn(deps: Deps, browser: Browser, input: SignInBody): Promise<SignedIn> {
  const { address } = browser;
  const email = normalizedEmail(input.email);
  const found = await deps.store.people.findForSignIn(email);
  const personId = found?.person.id ?? null;
  const check = { password: input.password, hash: found?.passwordHash ?? null, email, personId, address };
  if (!(await checkPassword(deps, check)) || !found) {
    deps.log.warn({ address, personId }, 'A sign-in failed');
    throw new Refusal('unauthenticated', 'The e-mail address or the password is wrong. Check both, and try again.');
  }
  const { person, passwordHash } = found;
  if (person.disabledAt !== null) {
    deps.log.warn({ address, personId: person.id }, 'Somebody disabled tried to sign in');
    throw new Refusal('unauthenticated', ACCOUNT_DISABLED);
  }
  const { token, session } = newSession(deps, person.id, browser);
  const caller = { actor: personActor(person), address };
  const audit = auditRecord(deps, caller, {
    action: 'session.started',
    targetId: session.session.id,
    targetName: null,
    details: { userAgent: session.session.userAgent },
  });
  await deps.store.people.createSession({ ...session, passwordHash, audit });
  return { me: await showMe(deps, person), token };
}
