import type { ChangeMeBody, ChangePasswordBody, ChangeUserBody, CreateUserBody, Me, Role, User } from '@hub/contract';
import {
  type Caller,
  changeAs,
  changeUsersAs,
  type Performer,
  recordAction,
  type UserCaller,
} from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import {
  requireAdmin,
  requireConfirmed,
  requireMayGrantRole,
  requireMayTouch,
  requireOtherOwner,
} from '../../access/user-rights.ts';
import { AppError } from '../../platform/errors.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { reportMember } from '../avatars/avatars.ts';
import { type PasswordDeps, requireGoodPassword } from './check-password.ts';
import { nameKeys, requireFreeName } from './display-names.ts';
import { emailAddress } from './email-address.ts';
import { noticeUser, PASSWORD_PAGE } from './notices.ts';
import { askUser } from './second-factor.ts';
import { findUser, showMe, userView } from './show-users.ts';
import { type Browser, type NewSession, requirePassword, startSession } from './sign-in.ts';

type NameAndRole = Pick<UserRecord, 'name' | 'role'>;

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** Changes a user's name or role. Users cannot change their own role, so that they do not lock themselves out. */
export function changeUser(deps: Deps, caller: Caller, userId: string, input: ChangeUserBody): Promise<User> {
  return changeUsersAs(deps, caller, [userId], async (tx, current) => {
    requireAdmin(current);
    const user = await findUser(tx, userId);
    requireMayGrantRole(current, input.role);
    if (input.role !== undefined && input.role !== user.role) {
      if (current.user?.id === user.id) {
        throw new AppError('conflict', 'You cannot change your own role. Ask another admin or owner.');
      }
      await requireConfirmed(tx, current, deps.clock.now());
    }
    requireMayTouch(current, user);
    const to = {
      ...(input.name === undefined ? {} : { name: input.name.trim() }),
      ...(input.role === undefined ? {} : { role: input.role }),
    };
    const changed = await changeAccount(deps, tx, user, {
      to,
      from: { name: user.name, role: user.role },
      caller: current,
    });
    return userView(changed);
  });
}

/** Changes the caller's own name, the only field that users may change themselves. */
export async function changeMe(deps: Deps, caller: UserCaller, input: ChangeMeBody): Promise<Me> {
  const changed = await changeUsersAs(deps, caller, [], (tx, current) => {
    const { name } = current.user;
    return changeAccount(deps, tx, current.user, {
      to: { name: input.name?.trim() ?? name },
      from: { name },
      caller: current,
    });
  });
  return showMe(deps, changed);
}

/** Writes a new name or role, or nothing if both are the same as before. */
export async function changeAccount(
  deps: Deps,
  tx: Repositories,
  user: UserRecord,
  { to, from, caller }: { to: Partial<NameAndRole>; from: Partial<NameAndRole>; caller: Performer },
): Promise<UserRecord> {
  const changed = { ...user, ...to };
  const isRenamed = changed.name !== user.name;
  const hasNewRole = changed.role !== user.role;
  if (!isRenamed && !hasNewRole) return user;
  if (isRenamed) await requireFreeName(tx, changed);
  if (changed.role !== 'owner') await requireOtherOwner(tx, user);
  await tx.users.update(user.id, {
    ...(isRenamed ? { name: changed.name, ...nameKeys(changed.name) } : {}),
    ...(hasNewRole ? { role: changed.role } : {}),
  });
  if (hasNewRole) {
    await askUser(tx, deps, user.id);
    // Otherwise, the recipient of the link could take over an account that now has more rights.
    await tx.links.deleteMatching({ kind: 'password_reset', userId: user.id });
    if (RANK[changed.role] < RANK[user.role]) await tx.links.deleteCreatedBy(user.id);
    if (changed.role === 'owner') await tx.links.deleteMatching({ kind: 'setup' });
  }
  const { at } = await recordAction(tx, deps, caller, { action: 'user.changed', target: user, details: { from, to } });
  if (isRenamed) await reportMember(tx, changed, at);
  return changed;
}

/** Changes an account as an admin. If it is the caller's own, throws `own`, if there is such an error. */
export function changeOther<T>(
  deps: Deps,
  caller: Caller,
  userId: string,
  own: AppError | null,
  work: (tx: Repositories, user: UserRecord, current: Caller) => Promise<T>,
): Promise<T> {
  return changeUsersAs(deps, caller, [userId], async (tx, current) => {
    requireAdmin(current);
    const user = await findUser(tx, userId);
    if (own && current.user?.id === user.id) throw own;
    requireMayTouch(current, user);
    return work(tx, user, current);
  });
}

/** Disables an account: its sessions, tokens and links end permanently, its live views within a second. */
export function disableUser(deps: Deps, caller: Caller, userId: string): Promise<User> {
  const own = new AppError('conflict', 'You cannot disable your own account. Ask another admin or owner.');
  return changeOther(deps, caller, userId, own, async (tx, user, current) => {
    if (user.disabledAt !== null) return userView(user);
    await requireOtherOwner(tx, user);
    const disabledAt = deps.clock.now();
    await tx.users.update(user.id, { disabledAt });
    await tx.sessions.deleteAllOf(user.id);
    await tx.tokens.deleteAllOf(user.id);
    await endLinks(tx, user.id);
    await tx.links.deleteCreatedBy(user.id);
    await recordAction(tx, deps, current, { action: 'user.disabled', target: user });
    return userView({ ...user, disabledAt });
  });
}

/** Enables a disabled account with its previous password. Its earlier sessions and tokens stay invalid. */
export function enableUser(deps: Deps, caller: Caller, userId: string): Promise<User> {
  return changeOther(deps, caller, userId, null, async (tx, user, current) => {
    if (user.disabledAt === null) return userView(user);
    await tx.users.update(user.id, { disabledAt: null });
    if (user.role === 'owner') await tx.links.deleteMatching({ kind: 'setup' });
    await recordAction(tx, deps, current, { action: 'user.enabled', target: user });
    return userView({ ...user, disabledAt: null });
  });
}

/** Ends all sessions of a user and revokes all their personal access tokens. Live views end within a second. */
export function signOutUser(deps: Deps, caller: Caller, userId: string): Promise<User> {
  // Otherwise, a leaked token could sign its owner out again and again.
  const own = new AppError(
    'conflict',
    'You cannot sign yourself out this way. End your sessions and tokens in your own settings.',
  );
  return changeOther(deps, caller, userId, own, async (tx, user, current) => {
    await tx.sessions.deleteAllOf(user.id);
    await tx.tokens.deleteAllOf(user.id);
    await endLinks(tx, user.id);
    await recordAction(tx, deps, current, { action: 'user.signed_out', target: user });
    return userView(user);
  });
}

/** Changes the caller's password. All sessions end, and this browser gets a new one. Tokens end only if asked for. */
export async function changePassword(
  deps: PasswordDeps,
  caller: UserCaller,
  browser: Browser,
  input: ChangePasswordBody,
): Promise<NewSession> {
  const { user, address } = caller;
  const { revokeTokens = false } = input;
  const { name: workspaceName } = await deps.store.workspace.find();
  requireGoodPassword(input.newPassword, { workspaceName, ...user }, 'newPassword');
  await requirePassword(deps, caller, input.currentPassword, 'current password');
  const passwordHash = await deps.passwords.hash(input.newPassword, address);
  // Every new password ends all sessions: as long as this one is valid, the password is the one that was checked.
  const token = await changeUsersAs(deps, caller, [], async (tx) => {
    await setPassword(tx, user.id, { passwordHash, revokeTokens });
    await recordAction(tx, deps, caller, {
      action: 'password.changed',
      target: user,
      details: { tokensRevoked: revokeTokens },
    });
    await noticeUser(tx, deps, user, { event: 'Your password was changed.', address, action: PASSWORD_PAGE });
    return (await startSession(tx, deps, user.id, browser)).token;
  });
  return { me: await showMe(deps, user), token };
}

/** Sets a new password, and ends all sessions and links of the user, and their tokens if asked for. */
export async function setPassword(
  tx: Repositories,
  userId: string,
  { passwordHash, revokeTokens }: { passwordHash: string; revokeTokens: boolean },
): Promise<void> {
  await tx.users.update(userId, { passwordHash });
  await tx.sessions.deleteAllOf(userId);
  if (revokeTokens) await tx.tokens.deleteAllOf(userId);
  await endLinks(tx, userId);
}

/** Ends the links that would let someone in as the user, or take over the account by its address. */
async function endLinks(tx: Repositories, userId: string): Promise<void> {
  for (const kind of ['password_reset', 'email_change'] as const) await tx.links.deleteMatching({ kind, userId });
}

/** Creates an account with a password chosen by the admin. It is not a member of any Hub yet. */
export async function createUser(deps: PasswordDeps, caller: Caller, input: CreateUserBody): Promise<User> {
  // Hashing a password costs so much that nobody without these rights gets that far.
  requireMayGrantRole(caller, input.role);
  const email = emailAddress(input.email);
  const { name: workspaceName } = await deps.store.workspace.find();
  requireGoodPassword(input.password, { workspaceName, name: input.name, email });
  const passwordHash = await deps.passwords.hash(input.password, caller.address);
  return changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    requireMayGrantRole(current, input.role);
    const user = newUserRecord(deps, { email, name: input.name, role: input.role ?? 'member' });
    await insertAccount(tx, user, passwordHash);
    await askUser(tx, deps, user.id);
    await recordAction(tx, deps, current, {
      action: 'user.created',
      target: user,
      details: { email, role: user.role },
    });
    return userView(user);
  });
}

export function newUserRecord(
  { clock, newId }: Deps,
  { email, name, role }: { email: string; name: string; role: Role },
): UserRecord {
  return {
    id: newId('usr'),
    email,
    name: name.trim(),
    role,
    createdAt: clock.now(),
    disabledAt: null,
    lastSeenAt: null,
    factorDueAt: null,
  };
}

/** Writes a new account, which ends the invitations for its address and, once there is an owner, the setup links. */
export async function insertAccount(tx: Repositories, user: UserRecord, passwordHash: string): Promise<void> {
  await requireNoAccount(tx, user.email);
  await requireFreeName(tx, user);
  await tx.users.insert(user, { passwordHash, ...nameKeys(user.name) });
  await tx.links.deleteMatching({ kind: 'invitation', email: user.email });
  if (user.role === 'owner') await tx.links.deleteMatching({ kind: 'setup' });
}

/** Throws `conflict` if this e-mail address already has an account. */
export async function requireNoAccount({ users }: Repositories, email: string): Promise<void> {
  const account = await users.findForSignIn(email);
  if (!account) return;
  throw new AppError(
    'conflict',
    account.user.disabledAt === null
      ? `${email} already has an account. Add this user to Hubs instead.`
      : `${email} already has an account, which is disabled. Enable it instead.`,
  );
}
