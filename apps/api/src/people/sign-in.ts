import { ACCOUNT_DISABLED, type Me, type SignInBody } from '@hub/contract';
import { auditRecord, personActor } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { hashToken } from '../keys/hash-token.ts';
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
 * nor by its time, and is slowed by the client's address and by the e-mail address that was tried; a right password never is.
 */
export async function signIn(deps: Deps, browser: Browser, input: SignInBody): Promise<SignedIn> {
  const { address } = browser;
  const email = normalizedEmail(input.email);
  const found = await deps.store.people.findForSignIn(email);
  if (!(await deps.passwords.verify(input.password, found?.passwordHash ?? null, address)) || !found) {
    deps.log.warn({ address, personId: found?.person.id ?? null }, 'A sign-in failed');
    await slowGuesses(deps, address, email);
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

/** Resolves when the answer to a wrong password may be given. */
export async function slowGuesses(
  { failedAuthentication, failedPasswords }: Pick<Deps, 'failedAuthentication' | 'failedPasswords'>,
  address: string,
  email: string,
): Promise<void> {
  // The hash is of one length, whatever was typed: what is remembered of failures stays small.
  const account = Buffer.from(hashToken(email)).toString('hex');
  await Promise.all([failedAuthentication.slow(address), failedPasswords.slow(account)]);
}
