import { type Holding, type Holdings, LIMITS } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { canPost } from '../keys/show-keys.ts';
import { findUser } from './find-user.ts';

/**
 * Lists a user's memberships, issued keys and open to-dos per Hub: they stay when the account is disabled, and others
 * have to take them over. Deleted Hubs are left out.
 */
export async function listHoldings(deps: Deps, personId: string | null): Promise<Holdings> {
  const { store } = deps;
  const { id } = await findUser(deps.store, personId);
  const [hubIds, keys, openTodos] = await Promise.all([
    store.memberships.listHubIds(id),
    store.keys.list({ issuerId: id, limit: LIMITS.hubCount }),
    store.items.countAssigned(id),
  ]);
  const counted = keys.filter((key) => canPost(deps, key));
  const mine = new Set(hubIds);
  const all = new Set([...mine, ...counted.map(({ hubId }) => hubId), ...openTodos.keys()]);
  const found = await Promise.all([...all].map((hubId) => store.hubs.find(hubId)));
  const items = found.flatMap((hub): Holding[] =>
    hub === null || hub.deletedAt !== null
      ? []
      : [
          {
            hubId: hub.id,
            hubName: hub.name,
            isMember: mine.has(hub.id),
            keys: counted.filter(({ hubId }) => hubId === hub.id).length,
            openTodos: openTodos.get(hub.id) ?? 0,
          },
        ],
  );
  return { items: items.sort((one, other) => one.hubName.localeCompare(other.hubName)) };
}
