import { ACCOUNT_DISABLED, type Me, type SignInBody } from '@hub/contract';
import { auditRecord, userActor } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { checkPassword } from './check-password.ts';
import { normalizedEmail } from './email-address.ts';
import { type Browser, newSession, startSession } from './new-session.ts';
import { showMe } from './show-me.ts';

export interface SignedIn {
  me: Me;
  /** The value of the session cookie. */
  token: string;
}

/**
 * Starts a session, given an e-mail address and a password. A failure does not reveal whether the account exists,
 * either by its message or by its timing; `checkPassword` slows and limits attempts.
 */
export async function signIn(deps: Deps, browser: Browser, input: SignInBody): Promise<SignedIn> {
  const { address } = browser;
  const email = normalizedEmail(input.email);
  const found = await deps.store.users.findForSignIn(email);
  const personId = found?.user.id ?? null;
  const check = { password: input.password, hash: found?.passwordHash ?? null, email, personId, address };
  if (!(await checkPassword(deps, check)) || !found) {
    deps.log.warn({ address, personId }, 'Sign-in failed');
    throw new AppError('unauthenticated', 'Incorrect e-mail address or password. Check both and try again.');
  }
  const { user, passwordHash } = found;
  if (user.disabledAt !== null) {
    deps.log.warn({ address, personId: user.id }, 'Sign-in to a disabled account rejected');
    throw new AppError('unauthenticated', ACCOUNT_DISABLED);
  }
  const { token, session } = newSession(deps, user.id, browser);
  const caller = { actor: userActor(user), address };
  const audit = auditRecord(deps, caller, {
    action: 'session.started',
    targetId: session.session.id,
    targetName: null,
    details: { userAgent: session.session.userAgent },
  });
  await deps.store.transaction(async (tx) => {
    const current = await tx.users.findForSignIn(email);
    if (!current || current.user.disabledAt !== null || current.passwordHash !== passwordHash) {
      throw new AppError('unauthenticated', 'Your account was just changed. Sign in again.');
    }
    await startSession(tx, session);
    await tx.audit.insert(audit);
  });
  return { me: await showMe(deps, user), token };
}
