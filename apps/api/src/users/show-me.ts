import type { Me } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { UserRecord } from '../store/users-store.ts';
import { isoTime } from '../time.ts';

/** The signed-in person, and where. */
export async function showMe({ store }: Pick<Deps, 'store'>, user: UserRecord): Promise<Me> {
  const { name } = await store.workspace();
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    createdAt: isoTime(user.createdAt),
    workspace: { name },
  };
}
