import {
  type ApiKey,
  KEY_PREFIX,
  type KeyAddresses,
  type KeyDay,
  type KeyState,
  type KeyUsageByDay,
} from '@hub/contract';
import { isValid, keyState } from '@hub/contract/key-state';
import { type Caller, isAdmin } from '../../access/caller.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type Page, pageOf } from '../../platform/paging.ts';
import { dayOf, isoDay, isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { KeyListing, KeyPageRequest } from '../../storage/keys.ts';
import type { Reads } from '../../storage/repositories.ts';
import { isReader, type RightsReads, visibleHub } from '../hubs/hub-rights.ts';
import { addAddress, type KeyDeps } from './key-usage.ts';

/** Returns a key as the API shows it: never with its hash or its secret. */
export function keyView(
  { clock, limiter, usage, revocations }: Pick<KeyDeps, 'clock' | 'limiter' | 'usage' | 'revocations'>,
  key: KeyListing,
): ApiKey {
  const now = clock.now();
  const blockedUntil = limiter.blockedUntil(key, now);
  const revokedAt = key.revokedAt ?? revocations.revokedAt(key.id) ?? null;
  const state = keyState({ ...key, revokedAt, blockedUntil }, now);
  const pending = usage.pending(key.id);
  return {
    id: key.id,
    hubId: key.hubId,
    hubName: key.hubName,
    isHubDeleted: key.isHubDeleted,
    name: key.name,
    description: key.description,
    link: key.link,
    hint: `${KEY_PREFIX}…${key.lastFour}`,
    scopes: key.scopes,
    state,
    generation: key.generation,
    predecessorId: key.predecessorId,
    successorId: key.successorId,
    createdAt: isoTime(key.createdAt),
    createdBy: key.createdBy,
    isIssuerGone: key.isIssuerGone,
    expiresAt: isoTimeOrNull(key.expiresAt),
    overlapEndsAt: isoTimeOrNull(key.overlapEndsAt),
    blockedUntil: state === 'blocked' ? isoTimeOrNull(blockedUntil) : null,
    revokedAt: isoTimeOrNull(revokedAt),
    lastUsedAt: isoTimeOrNull(pending?.lastUsedAt ?? key.lastUsedAt),
    lastUsedAddress: pending?.lastUsedAddress ?? key.lastUsedAddress,
    // A kill can lose the most recently counted requests, but no posts, and each post was a request.
    requestCount: Math.max(key.requestCount + (pending?.requestCount ?? 0), key.postCount),
    postCount: key.postCount,
    unusedScopes: key.scopes.filter((scope) => !key.usedScopes.includes(scope)),
  };
}

/** Whether the key is valid. This includes blocked keys, since a block ends by itself. */
export function canPost({ clock }: Pick<KeyDeps, 'clock'>, key: KeyListing): boolean {
  return isValid(key, clock.now());
}

interface ListKeysInput extends Pick<KeyPageRequest, 'limit' | 'before' | 'hubId'> {
  state?: KeyState | undefined;
  usageDays?: number | undefined;
  tokenHash?: Uint8Array | undefined;
}

/** Returns a page of keys, newest first. Blocks live in memory, so a filter by state reads several pages at most. */
export async function listKeys(deps: KeyDeps, caller: Caller, input: ListKeysInput): Promise<Page<ApiKey>> {
  await requireKeyManager(deps.store, caller);
  if (input.hubId !== undefined) await visibleHub(deps.store, caller, input.hubId);
  const { limit, before, hubId, state } = input;
  const memberId = isAdmin(caller) ? undefined : caller.user?.id;
  const matches = state && ((key: KeyListing) => keyView(deps, key).state === state);
  const { items, next } =
    input.tokenHash === undefined
      ? await findKeys(deps, { limit, before, hubId, memberId, matches })
      : await findByHash(deps, caller, input.tokenHash, (key) => {
          const isListed = hubId === undefined || key.hubId === hubId;
          return isListed && (before === undefined || key.id < before) && matches?.(key) !== false;
        });
  const page = { items: items.map((key) => keyView(deps, key)), next };
  if (input.usageDays === undefined) return page;
  const ids = page.items.map(({ id }) => id);
  const usage = await usageByDay(deps, ids, input.usageDays);
  return { ...page, items: page.items.map((key) => ({ ...key, usage: usage.get(key.id) ?? [] })) };
}

/** Returns the key with this hash if the caller may manage it and it matches, as a page. */
async function findByHash(
  { store }: Pick<KeyDeps, 'store'>,
  caller: Caller,
  tokenHash: Uint8Array,
  matches: (key: KeyListing) => boolean,
): Promise<Page<KeyListing>> {
  const match = await store.keys.findByTokenHash(tokenHash);
  const key = await manageableKey(store, caller, match?.id ?? '').catch((error) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
  return { items: key !== null && matches(key) ? [key] : [], next: null };
}

/** How many keys to read at a time when filtering, since matches may be rare. */
const BATCH_SIZE = 500;
/** The maximum number of keys that a filtering request reads. The page can be short, and `next` continues there. */
const MAX_EXAMINED = 1_000;

/** Returns a page of keys, newest first. With `matches`, it filters several pages of the store, up to a bound. */
export async function findKeys(
  { store }: Pick<KeyDeps, 'store'>,
  { limit, matches, ...query }: KeyPageRequest & { matches?: ((key: KeyListing) => boolean) | undefined },
): Promise<Page<KeyListing>> {
  const listings: KeyListing[] = [];
  const step = matches === undefined ? limit + 1 : BATCH_SIZE;
  let { before } = query;
  for (let examined = 0; examined < MAX_EXAMINED; examined += step) {
    const records = await store.keys.list({ ...query, limit: step, before });
    listings.push(...(matches === undefined ? records : records.filter(matches)));
    before = records.at(-1)?.id;
    if (listings.length > limit || records.length < step) return pageOf(listings, limit);
  }
  return { items: listings, next: before ?? null };
}

/** Returns the usage of one key on each of the last days, including today (UTC). */
export async function showKeyUsage(deps: KeyDeps, caller: Caller, keyId: string, days: number): Promise<KeyUsageByDay> {
  const key = await manageableKey(deps.store, caller, keyId);
  return { items: (await usageByDay(deps, [key.id], days)).get(key.id) ?? [] };
}

/** Returns the usage of each key by day. Days without usage are included. */
async function usageByDay(
  { store, clock, usage }: KeyDeps,
  keyIds: readonly string[],
  days: number,
): Promise<ReadonlyMap<string, KeyDay[]>> {
  const today = dayOf(clock.now());
  const from = today - days + 1;
  const saved = await store.keys.usageByDay(keyIds, from);
  return new Map(
    keyIds.map((keyId) => {
      const savedDays = new Map(saved.get(keyId)?.map((each) => [each.day, each]));
      const pending = usage.pending(keyId);
      const pendingOn = (day: number) => (pending && dayOf(pending.lastUsedAt) === day ? pending.requestCount : 0);
      const list = Array.from({ length: days }, (_, index) => {
        const day = from + index;
        const { requests = 0, posts = 0, blocks = 0 } = savedDays.get(day) ?? {};
        return { day: isoDay(day), requests: Math.max(requests + pendingOn(day), posts), posts, blocks };
      });
      return [keyId, list];
    }),
  );
}

/** Returns the addresses that a key was used from, latest first, including uses that are not saved yet. */
export async function showKeyAddresses(deps: KeyDeps, caller: Caller, keyId: string): Promise<KeyAddresses> {
  const key = await manageableKey(deps.store, caller, keyId);
  const saved = await deps.store.keys.addresses(key.id);
  const pending = deps.usage.pending(key.id)?.addresses ?? [];
  const addresses = pending.toReversed().reduce(addAddress, saved);
  return {
    items: addresses.map(({ address, lastUsedAt, requests }) => ({
      address,
      lastUsedAt: isoTime(lastUsedAt),
      requests,
    })),
  };
}

interface KeyRightsReads extends RightsReads {
  keys: Pick<Reads['keys'], 'find'>;
  workspace: Pick<Reads['workspace'], 'find'>;
}

/** Returns the key if the caller may manage it: an admin, or a member of its Hub if members manage keys here. */
export async function manageableKey(reads: KeyRightsReads, caller: Caller, keyId: string): Promise<KeyListing> {
  const key = await findKey(reads, keyId);
  if (isAdmin(caller)) return key;
  const hub = await reads.hubs.find(key.hubId);
  if (hub?.deletedAt !== null || !(await isReader(reads, caller, hub.id))) throw keyNotFound(keyId);
  await requireKeyManager(reads, caller);
  return key;
}

/** Throws for members, if only admins manage keys in this workspace. */
export async function requireKeyManager(reads: Pick<KeyRightsReads, 'workspace'>, caller: Caller): Promise<void> {
  if (await isKeyManager(reads, caller)) return;
  throw new AppError('forbidden', 'In this workspace, only admins can manage keys. Ask an admin.');
}

/** Whether the caller can manage keys: admins can manage all keys, members those of their own Hubs. */
export async function isKeyManager(reads: Pick<KeyRightsReads, 'workspace'>, caller: Caller): Promise<boolean> {
  return isAdmin(caller) || (await reads.workspace.find()).membersManageKeys;
}

export function keyNotFound(keyId: string): AppError {
  return notFound('key', keyId);
}

/** Returns the key with this id, or throws `not_found`. */
export async function findKey({ keys }: Pick<KeyRightsReads, 'keys'>, keyId: string): Promise<KeyListing> {
  const key = await keys.find(keyId);
  if (!key) throw keyNotFound(keyId);
  return key;
}
