import type { Me, SignedIn } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTime } from '../core/time.ts';
import { authenticateUser } from '../credentials/authenticate-user.ts';
import type { UserRecord } from '../storage/users-store.ts';

/** Returns the signed-in user with the name of the workspace. */
export async function showMe({ store }: Pick<Deps, 'store'>, user: UserRecord): Promise<Me> {
  const { name } = await store.workspace.find();
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    createdAt: isoTime(user.createdAt),
    workspace: { name },
  };
}

/**
 * Returns the user of this session, or null. Attempts with an invalid session are slowed, as everywhere else; a store
 * failure throws.
 */
export async function showSignedIn(
  deps: Pick<Deps, 'store' | 'clock' | 'failedAuthentication' | 'credentialUse' | 'revocations'>,
  secret: string | null,
  address: string,
): Promise<SignedIn> {
  try {
    const { user } = await authenticateUser(deps, { kind: 'session', secret }, address);
    if (user) return { me: await showMe(deps, user) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
  }
  return { me: null, ...((await deps.store.users.list({ limit: 1 })).length > 0 ? {} : { needsSetup: true }) };
}
