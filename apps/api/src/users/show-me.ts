import type { Me } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { UserRecord } from '../storage/users-store.ts';
import { isoTime } from '../time.ts';

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
