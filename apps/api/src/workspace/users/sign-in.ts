import {
  ACCOUNT_DISABLED,
  hasTokenFormat,
  LIMITS,
  type Me,
  SESSION_PREFIX,
  type SessionConfirmation,
  type SignedIn,
  type SignInBody,
} from '@hub/contract';
import { auditRecord, authenticateUser, changeUsersAs, type UserCaller, userActor } from '../../access/caller.ts';
import { type CredentialDeps, SESSION_LIFETIME_MS } from '../../access/credential-use.ts';
import type { Deps } from '../../access/deps.ts';
import { generateToken, hashToken } from '../../access/tokens.ts';
import { CONFIRMED_MS } from '../../access/user-rights.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { SessionRecord } from '../../storage/sessions-and-tokens.ts';
import { checkPassword, type PasswordDeps } from './check-password.ts';
import { normalizedEmail } from './email-address.ts';
import { showMe } from './show-users.ts';

/** The client that keeps the session cookie, as described by its request. */
export interface Browser {
  address: string;
  userAgent: string | null;
  formerToken: string | null;
}

/** A user who has just signed in. */
export interface NewSession {
  me: Me;
  token: string;
}

const MAX_USER_AGENT_CHARACTERS = 256;

/** Starts a new session, so that a planted cookie never becomes one (session fixation), and ends the current one. */
export async function startSession(
  tx: Repositories,
  { clock, random, newId }: Deps,
  userId: string,
  { address, userAgent, formerToken }: Browser,
): Promise<{ token: string; session: SessionRecord }> {
  const token = generateToken(SESSION_PREFIX, random);
  const now = clock.now();
  const session: SessionRecord = {
    id: newId('ses'),
    userId,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + SESSION_LIFETIME_MS,
    address,
    userAgent: userAgent === null ? null : printable(userAgent, MAX_USER_AGENT_CHARACTERS),
  };
  if (formerToken !== null && hasTokenFormat(SESSION_PREFIX, formerToken)) {
    await tx.sessions.deleteByTokenHash(hashToken(formerToken));
  }
  await tx.sessions.insert(session, hashToken(token));
  await tx.sessions.deleteAllButNewest(userId, LIMITS.sessions);
  // Even if no request follows.
  await tx.users.seen(userId, now);
  return { token, session };
}

/** Starts a session. Neither message nor timing of a failure reveals whether the account exists. */
export async function signIn(deps: PasswordDeps, browser: Browser, input: SignInBody): Promise<NewSession> {
  const { address } = browser;
  const email = normalizedEmail(input.email);
  const account = await deps.store.users.findForSignIn(email);
  const userId = account?.user.id ?? null;
  const check = { password: input.password, hash: account?.passwordHash ?? null, email, userId, address };
  if (!(await checkPassword(deps, check)) || !account) {
    deps.log.warn({ address, userId }, 'Sign-in failed');
    throw new AppError('unauthenticated', 'Incorrect e-mail address or password. Check both and try again.');
  }
  const { user, passwordHash } = account;
  if (user.disabledAt !== null) {
    deps.log.warn({ address, userId }, 'Sign-in to a disabled account rejected');
    throw new AppError('unauthenticated', ACCOUNT_DISABLED);
  }
  const token = await deps.store.transaction(async (tx) => {
    const current = await tx.users.findForSignIn(email);
    if (!current || current.user.disabledAt !== null || current.passwordHash !== passwordHash) {
      throw new AppError('unauthenticated', 'Your account was just changed. Sign in again.');
    }
    const { token, session } = await startSession(tx, deps, user.id, browser);
    const audit = auditRecord(
      deps,
      { actor: userActor(user), address },
      { action: 'session.started', target: { id: session.id, name: null }, details: { userAgent: session.userAgent } },
    );
    await tx.audit.insert(audit);
    return token;
  }, `sign-in ${user.id}`);
  return { me: await showMe(deps, user), token };
}

/** Returns the user of this session, or null. Attempts with an invalid session are slowed; a store failure throws. */
export async function showSignedIn(deps: CredentialDeps, secret: string | null, address: string): Promise<SignedIn> {
  try {
    const { user } = await authenticateUser(deps, { kind: 'session', secret }, address);
    if (user) return { me: await showMe(deps, user) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
  }
  return { me: null, ...((await deps.store.users.list({ limit: 1 })).length > 0 ? {} : { needsSetup: true }) };
}

/** Records that the password was entered in this session, for what `requireConfirmed` guards. */
export async function confirmSession(
  deps: PasswordDeps,
  caller: UserCaller,
  password: string,
): Promise<SessionConfirmation> {
  await requirePassword(deps, caller, password);
  const at = deps.clock.now();
  await changeUsersAs(deps, caller, [], ({ sessions }) => sessions.update(caller.credential.id, { confirmedAt: at }));
  return { confirmedUntil: isoTime(at + CONFIRMED_MS) };
}

/** Throws `invalid` unless this is the caller's password. `name` is what the error message calls it. */
export async function requirePassword(
  deps: PasswordDeps,
  { user, address, credential }: UserCaller,
  password: string,
  name = 'password',
): Promise<void> {
  const { id: userId, email } = user;
  const hash = await deps.store.users.findPasswordHash(userId);
  if (await checkPassword(deps, { password, hash, email, userId, address, sessionId: credential.id })) return;
  deps.log.warn({ address, userId }, 'Wrong password in a session');
  // Not 401: the session is still valid.
  throw new AppError('invalid', `The ${name} is incorrect. Enter the password you sign in with.`);
}
