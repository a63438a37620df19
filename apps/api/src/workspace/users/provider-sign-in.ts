import { LIMITS, type Role } from '@hub/contract';
import { recordAction, userActor } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import type { ProviderSettings } from '../../platform/config.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { repeat } from '../../platform/repeat.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { SERVER } from '../../storage/audit.ts';
import type { IdentityRecord } from '../../storage/identities.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { changeAccount, insertAccount, newUserRecord } from './change-user.ts';
import { requireFreeName } from './display-names.ts';
import { normalizedEmail } from './email-address.ts';
import { type Claims, type IdentityProvider, ProviderRejection } from './identity-provider.ts';
import { noticeNewDevice } from './notices.ts';
import { joinHubs } from './redeem-link.ts';
import { type Browser, startSession } from './sign-in.ts';

/** Why a user of the provider may not sign in here. The web app has a sentence for each. */
type SignInProblem = 'not-allowed' | 'unverified' | 'no-account' | 'other-account' | 'disabled';

export class SignInRejected extends Error {
  constructor(readonly problem: SignInProblem) {
    super(problem);
  }
}

type ProviderDeps = Deps & { provider: IdentityProvider };

/**
 * Signs in the user of these claims, and returns the secret of the new session. The account is known by `sub`; the first time,
 * by a verified e-mail address, since some providers let users enter any.
 * @throws SignInRejected
 */
export async function signInWithProvider(deps: ProviderDeps, browser: Browser, claims: Claims): Promise<string> {
  const { settings } = deps.provider;
  if (!isAllowed(settings, claims)) throw new SignInRejected('not-allowed');
  const { oidcIssuer: issuer } = settings;
  const email = claims.email === null ? null : normalizedEmail(claims.email);
  const now = deps.clock.now();
  const { token, user, session } = await deps.store.transaction(async (tx) => {
    const identity = await tx.identities.find(issuer, claims.subject);
    const account = identity || email === null ? null : await tx.users.findForSignIn(email);
    const userId = identity?.userId ?? account?.user.id;
    if (userId !== undefined) await tx.users.lock([userId]);
    if (!identity && (email === null || !claims.isEmailVerified)) throw new SignInRejected('unverified');
    let user = userId === undefined ? null : await tx.users.find(userId);
    user ??= await createAccount(tx, deps, { email: email ?? '', claims, address: browser.address });
    if (user.disabledAt !== null) throw new SignInRejected('disabled');
    const refreshToken = claims.refreshToken === null ? null : deps.provider.encrypt(claims.refreshToken);
    const caller = { actor: userActor(user), address: browser.address };
    if (identity) await tx.identities.update(identity, { checkedAt: now, ...(refreshToken && { refreshToken }) });
    else {
      // Otherwise, a second account at the provider with the same address could take over this account.
      if (await tx.identities.findOfUser(issuer, user.id)) throw new SignInRejected('other-account');
      const { subject } = claims;
      await tx.identities.insert({ issuer, subject, userId: user.id, createdAt: now, checkedAt: now, refreshToken });
      await recordAction(tx, deps, caller, { action: 'identity.linked', target: user, details: { issuer, subject } });
    }
    await updateRole(tx, deps, { user, claims });
    // A provider may let in without asking, so that anyone at an unlocked browser gets a session.
    const { token, session } = await startSession(tx, deps, user.id, browser, claims.signedInAt ?? 0);
    const details = { userAgent: session.userAgent, provider: settings.oidcName };
    await recordAction(tx, deps, caller, {
      action: 'session.started',
      target: { id: session.id, name: null },
      details,
    });
    return { token, user, session };
  }, `provider ${claims.subject}`);
  await noticeNewDevice(deps, user, session);
  return token;
}

function isAllowed(
  { oidcAllowedDomains: domains, oidcAllowedGroups: groups }: ProviderSettings,
  { email, isEmailVerified, groups: own }: Claims,
): boolean {
  const domain = email?.toLowerCase().split('@').at(-1) ?? '';
  const isInDomain = domains.length === 0 || (isEmailVerified && domains.some((each) => each.toLowerCase() === domain));
  return isInDomain && (groups.length === 0 || groups.some((group) => own.includes(group)));
}

/** Creates the account of an invitation, or of anybody if the configuration says so. It has no password. */
async function createAccount(
  tx: Repositories,
  deps: ProviderDeps,
  { email, claims, address }: { email: string; claims: Claims; address: string },
): Promise<UserRecord> {
  const invitation = await tx.links.findInvitation(email, deps.clock.now());
  if (!invitation && deps.provider.settings.oidcSignUp !== 'auto') throw new SignInRejected('no-account');
  // An owner has to exist first: without one, the setup link decides who it is.
  if (!(await tx.users.hasOwner())) throw new SignInRejected('no-account');
  const role = invitation?.role ?? 'member';
  const user = newUserRecord(deps, { email, name: nameOf(claims, email), role });
  user.name = await freeName(tx, user);
  await insertAccount(tx, user, NO_PASSWORD);
  const caller = { actor: userActor(user), address };
  const invited = invitation ? { invitationId: invitation.id, invitedBy: invitation.createdBy } : {};
  if (invitation) await joinHubs(tx, deps, { link: invitation, user, caller, invited });
  const details = { email, role, provider: deps.provider.settings.oidcName, ...invited };
  await recordAction(tx, deps, caller, { action: 'user.created', target: user, details });
  return user;
}

/** In place of a hash: no password matches it. */
const NO_PASSWORD = '';

function nameOf({ name }: Claims, email: string): string {
  const text = printable(name ?? '', LIMITS.userNameCodePoints).trim();
  return text === '' ? (email.split('@')[0] ?? email).slice(0, LIMITS.userNameCodePoints) : text;
}

const MAX_NAMES = 100;

/** Returns the name, with a number if another user has it. */
async function freeName(tx: Repositories, user: UserRecord): Promise<string> {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '' : ` ${n}`;
    const name = `${[...user.name].slice(0, LIMITS.userNameCodePoints - suffix.length).join('')}${suffix}`;
    try {
      await requireFreeName(tx, { ...user, name });
      return name;
    } catch (error) {
      if (n === MAX_NAMES || !(error instanceof AppError && error.code === 'conflict')) throw error;
    }
  }
}

/** Makes the user an admin or a member, if the groups at the provider decide about that. Owners stay owners. */
async function updateRole(
  tx: Repositories,
  deps: ProviderDeps,
  { user, claims }: { user: UserRecord; claims: Claims },
): Promise<void> {
  const { oidcAdminGroups: groups } = deps.provider.settings;
  if (groups.length === 0 || user.role === 'owner') return;
  const role: Role = groups.some((group) => claims.groups.includes(group)) ? 'admin' : 'member';
  const caller = { actor: SERVER, address: null };
  await changeAccount(deps, tx, user, { to: { role }, from: { role: user.role }, caller });
}

/** How often the provider is asked whether a user who is signed in still may. */
const CHECK_MS = HOUR_MS / 2;
/** How long a user stays signed in whom the provider gave no refresh token, if its groups or domains decide. */
const UNCHECKED_MS = HOUR_MS - 60_000;
const EVERY_MS = 60_000;
const USERS_AT_A_TIME = 100;
/** After so many failures in a row, the provider is away. */
const MAX_FAILURES = 3;

/**
 * Asks the provider every half an hour about each user who is signed in, and signs out those who may not sign in any more:
 * sessions and tokens end, and live views within a second. While the provider is away, all stay. Returns what stops it.
 */
export function checkIdentitiesRegularly(deps: ProviderDeps, isLeader?: () => boolean): () => void {
  return repeat(deps, { everyMs: EVERY_MS, isLeader, failure: NOT_ASKED }, () => checkIdentities(deps));
}

const NOT_ASKED = 'Failed to ask the provider about users who are signed in';

export async function checkIdentities(deps: ProviderDeps): Promise<void> {
  const { store, clock, provider } = deps;
  const due = { issuer: provider.settings.oidcIssuer, before: clock.now() - CHECK_MS, limit: USERS_AT_A_TIME };
  let failures = 0;
  for (const identity of await store.identities.listDue(due)) {
    try {
      const claims = await askAbout(deps, identity);
      failures = 0;
      if (claims === 'unknown') continue;
      if (claims === null || !isAllowed(provider.settings, claims)) await signOut(deps, identity);
      else await keep(deps, identity, claims);
    } catch (err) {
      deps.log.warn({ err, userId: identity.userId }, NOT_ASKED);
      failures += 1;
      if (failures === MAX_FAILURES) return;
    }
  }
}

/** Returns what the provider says now; `null`: the user may not sign in any more; `unknown`: it cannot be asked. */
async function askAbout(
  { provider, clock }: ProviderDeps,
  identity: IdentityRecord,
): Promise<Claims | null | 'unknown'> {
  const token = identity.refreshToken && provider.decrypt(identity.refreshToken);
  if (!token) {
    const { oidcAllowedDomains, oidcAllowedGroups } = provider.settings;
    const isLimited = oidcAllowedDomains.length + oidcAllowedGroups.length > 0;
    return isLimited && clock.now() - identity.checkedAt >= UNCHECKED_MS ? null : 'unknown';
  }
  try {
    return await provider.ask(identity.subject, token);
  } catch (error) {
    if (error instanceof ProviderRejection) return null;
    throw error;
  }
}

async function keep(deps: ProviderDeps, identity: IdentityRecord, claims: Claims): Promise<void> {
  const refreshToken = claims.refreshToken === null ? undefined : deps.provider.encrypt(claims.refreshToken);
  await deps.store.transaction(async (tx) => {
    await tx.users.lock([identity.userId]);
    const user = await tx.users.find(identity.userId);
    await tx.identities.update(identity, { checkedAt: deps.clock.now(), ...(refreshToken && { refreshToken }) });
    if (user) await updateRole(tx, deps, { user, claims });
  });
}

async function signOut(deps: ProviderDeps, identity: IdentityRecord): Promise<void> {
  await deps.store.transaction(async (tx) => {
    await tx.users.lock([identity.userId]);
    const user = await tx.users.find(identity.userId);
    if (!user) return;
    await tx.sessions.deleteAllOf(user.id);
    await tx.tokens.deleteAllOf(user.id);
    await tx.identities.update(identity, { checkedAt: deps.clock.now(), refreshToken: null });
    const details = { provider: deps.provider.settings.oidcName };
    const caller = { actor: SERVER, address: null };
    await recordAction(tx, deps, caller, { action: 'user.signed_out', target: user, details });
  });
}
