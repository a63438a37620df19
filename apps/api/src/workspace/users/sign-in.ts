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
import { authenticateUser, changeUsersAs, recordAction, type UserCaller, userActor } from '../../access/caller.ts';
import { generateToken, hashToken, SESSION_LIFETIME_MS } from '../../access/credentials.ts';
import type { Deps } from '../../access/deps.ts';
import { CONFIRMED_MS } from '../../access/user-rights.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { SessionRecord } from '../../storage/sessions-and-tokens.ts';
import type { UserRecord } from '../../storage/users.ts';
import { checkPassword, type PasswordDeps } from './check-password.ts';
import { normalizedEmail } from './email-address.ts';
import { noticeNewDevice } from './notices.ts';
import { verifyPasskey } from './passkeys.ts';
import { countingGuess, requireFactor, requireUnused } from './second-factor.ts';
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
  confirmedAt: number | null = null,
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
  await tx.sessions.insert(session, hashToken(token), confirmedAt);
  await tx.sessions.deleteAllButNewest(userId, LIMITS.sessions);
  // Even if no request follows.
  await tx.users.seen(userId, now);
  return { token, session };
}

/** Throws `forbidden` if users sign in with the provider only. */
export function requirePasswordSignIn({ provider }: Pick<PasswordDeps, 'provider'>): void {
  if (provider?.settings.passwordSignIn !== 'off') return;
  throw new AppError('forbidden', `Passwords are turned off. Sign in with ${provider.settings.oidcName}.`);
}

/** Starts a session. Neither message nor timing of a failure reveals whether the account exists. */
export async function signIn(deps: PasswordDeps, browser: Browser, input: SignInBody): Promise<NewSession> {
  requirePasswordSignIn(deps);
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
  const start = () =>
    deps.store.transaction(async (tx) => {
      const current = await tx.users.findForSignIn(email);
      if (!current || current.user.disabledAt !== null || current.passwordHash !== passwordHash) {
        throw new AppError('unauthenticated', 'Your account was just changed. Sign in again.');
      }
      const factor = await requireFactor(deps, tx, { user, code: input.code, address });
      return recordedSession(tx, deps, { user, browser, factor });
    }, `sign-in ${user.id}`);
  const { token, session } =
    input.code === undefined ? await start() : await countingGuess(deps, { userId: user.id, address }, start);
  await noticeNewDevice(deps, user, session);
  return { me: await showMe(deps, user), token };
}

/** Starts a session with a passkey alone: the device has verified its user, so it is two factors. */
export async function signInWithPasskey(
  deps: PasswordDeps,
  browser: Browser,
  origin: string,
  credential: string,
): Promise<NewSession> {
  const { address } = browser;
  requirePasswordSignIn(deps);
  try {
    const { factor, counter, challenge } = await verifyPasskey(deps, { origin, address }, credential);
    const { user, token, session } = await deps.store.transaction(async (tx) => {
      await tx.users.lock([factor.userId]);
      const user = await tx.users.find(factor.userId);
      if (!user || user.disabledAt !== null) throw new AppError('unauthenticated', ACCOUNT_DISABLED);
      await requireUnused(tx, deps, challenge);
      if (!(await tx.factors.use(factor.id, counter, deps.clock.now())))
        throw new AppError('unauthenticated', 'This passkey was removed, or copied. Sign in another way.');
      return { user, ...(await recordedSession(tx, deps, { user, browser, factor: factor.name })) };
    }, `passkey ${factor.userId}`);
    await noticeNewDevice(deps, user, session);
    return { me: await showMe(deps, user), token };
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') await deps.failedAuthentication.slow(address);
    throw error;
  }
}

/** Starts a session with an audit entry, and returns it with its secret. `factor`: the name of the second factor. */
async function recordedSession(
  tx: Repositories,
  deps: Deps,
  { user, browser, factor }: { user: UserRecord; browser: Browser; factor: string | null },
): Promise<{ token: string; session: SessionRecord }> {
  const { token, session } = await startSession(tx, deps, user.id, browser);
  const details = { userAgent: session.userAgent, ...(factor !== null && { factor }) };
  await recordAction(
    tx,
    deps,
    { actor: userActor(user), address: browser.address },
    { action: 'session.started', target: { id: session.id, name: null }, details },
  );
  return { token, session };
}

/** Returns the user of this session, or null. Attempts with an invalid session are slowed; a store failure throws. */
export async function showSignedIn(deps: PasswordDeps, secret: string | null, address: string): Promise<SignedIn> {
  const settings = deps.provider?.settings;
  const isOnly = settings?.passwordSignIn === 'off';
  const ways = {
    ...(settings && { provider: { name: settings.oidcName, isOnly, isDirect: settings.oidcRedirect === 'on' } }),
    ...(deps.mail && !isOnly && { canReset: true as const }),
  };
  try {
    const { user } = await authenticateUser(deps, { kind: 'session', secret }, address);
    if (user) return { me: await showMe(deps, user), ...ways };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
  }
  const needsSetup = (await deps.store.users.list({ limit: 1 })).length === 0;
  return { me: null, ...(needsSetup && { needsSetup }), ...ways };
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
