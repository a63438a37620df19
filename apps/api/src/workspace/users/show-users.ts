import { LIMITS, type Me, type Responsibilities, type User } from '@hub/contract';
import { type Caller, isAdmin } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { Reads } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { canPost } from '../keys/show-keys.ts';

/** Returns the user, disabled or not, or throws `not_found`. */
export async function findUser(
  { users }: { users: Pick<Reads['users'], 'find'> },
  userId: string,
): Promise<UserRecord> {
  const user = await users.find(userId);
  if (!user) throw notFound('user', userId);
  return user;
}

/** Returns a user as admins see them; for other callers, without the time when the user was last seen. */
export function userView(user: UserRecord, { isForAdmin = true } = {}): User {
  const { id, name, email, role, createdAt, disabledAt } = user;
  const lastSeenAt = isForAdmin ? isoTimeOrNull(user.lastSeenAt) : null;
  return { id, name, email, role, createdAt: isoTime(createdAt), disabledAt: isoTimeOrNull(disabledAt), lastSeenAt };
}

/** Returns a page of all accounts, newest first, including disabled ones. Every member can see them. */
export function listUsers({ store }: Deps, caller: Caller, page: PageRequest): Promise<Page<User>> {
  const isForAdmin = isAdmin(caller);
  return readPage(page, store.users.list, (user) => userView(user, { isForAdmin }));
}

/** Lists a user's memberships, issued keys and open to-dos per live Hub, which others have to take over. */
export async function listResponsibilities(deps: Deps, userId: string): Promise<Responsibilities> {
  const { store } = deps;
  const { id } = await findUser(store, userId);
  const [hubIds, keys, openTodos] = await Promise.all([
    store.memberships.listHubIds(id),
    store.keys.list({ issuerId: id, limit: LIMITS.hubCount }),
    store.items.countAssigned(id),
  ]);
  const counted = keys.filter((key) => canPost(deps, key));
  const mine = new Set(hubIds);
  const all = new Set([...mine, ...counted.map(({ hubId }) => hubId), ...openTodos.keys()]);
  const hubs = await Promise.all([...all].map((hubId) => store.hubs.find(hubId)));
  const items = hubs
    .filter((hub) => hub !== null)
    .filter(({ deletedAt }) => deletedAt === null)
    .map((hub) => ({
      hubId: hub.id,
      hubName: hub.name,
      isMember: mine.has(hub.id),
      keys: counted.filter(({ hubId }) => hubId === hub.id).length,
      openTodos: openTodos.get(hub.id) ?? 0,
    }));
  return { items: items.sort((one, other) => one.hubName.localeCompare(other.hubName, undefined, { numeric: true })) };
}

/** Returns the signed-in user with the name of the workspace. */
export async function showMe(
  { store, clock, limits }: Deps,
  { id, name, email, role, createdAt, factorDueAt }: UserRecord,
): Promise<Me> {
  const workspace = { name: (await store.workspace.find()).name, maxFileBytes: limits.maxFileBytes };
  const due = factorDueAt !== null && {
    secondFactor: { dueAt: isoTime(factorDueAt), isOverdue: clock.now() >= factorDueAt },
  };
  return { id, name, email, role, createdAt: isoTime(createdAt), workspace, ...due };
}
