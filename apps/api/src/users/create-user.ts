import type { CreateUserBody, Role, User } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { UserRecord } from '../storage/users-store.ts';
import { requireConfirmed } from './confirm-session.ts';
import { emailAddress } from './email-address.ts';
import { requireGoodPassword } from './password-rules.ts';
import { requireMayGrantRole } from './user-rights.ts';
import { userView } from './user-view.ts';

/** Creates an account with a password chosen by the admin. It is not a member of any Hub yet. */
export async function createUser(deps: Deps, caller: Caller, input: CreateUserBody): Promise<User> {
  requireMayGrantRole(caller, input.role);
  if (input.role !== undefined && input.role !== 'member') await requireConfirmed(deps, caller);
  const email = emailAddress(input.email);
  requireGoodPassword(input.password, email);
  const passwordHash = await deps.passwords.hash(input.password, caller.address);
  const user = newUserRecord(deps, { email, name: input.name, role: input.role ?? 'member' });
  const audit = auditRecord(deps, caller, {
    action: 'person.created',
    targetId: user.id,
    targetName: user.name,
    details: { email, role: user.role },
  });
  return userView(await deps.store.users.create({ user, passwordHash, hubs: [], audit }));
}

export function newUserRecord(
  { clock, newId }: Pick<Deps, 'clock' | 'newId'>,
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
  };
}
