import type { CreateUserBody, Role, User } from '@hub/contract';
import { type Caller, changeAs, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireAdmin, requireMayGrantRole } from '../../access/user-rights.ts';
import { AppError } from '../../platform/errors.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { type PasswordDeps, requireGoodPassword } from './check-password.ts';
import { nameKeys, requireFreeName } from './display-names.ts';
import { emailAddress } from './email-address.ts';
import { askUser } from './second-factor.ts';
import { userView } from './show-users.ts';

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
