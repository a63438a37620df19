import type { ApiKey, KeyDay, KeyState } from '@hub/contract';
import { currentState } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';

/** The state of a key as the list shows it. `hubless`: its Hub was deleted and may be restored. */
export type KeyDisplayState = KeyState | 'expiring' | 'hubless';

/** Returns the state at `nowMs`, taking into account blocks and lifetimes that have ended since the key was loaded. */
export function stateOf(key: ApiKey, nowMs: number): KeyDisplayState {
  const state = currentState(key, nowMs);
  if (state === 'revoked' || state === 'expired') return state;
  if (key.isHubDeleted) return 'hubless';
  return state === 'active' && dueWarning(key, nowMs) !== null ? 'expiring' : state;
}

/** Whether the key is revoked or expired. */
export function isOver(key: ApiKey, nowMs: number): boolean {
  const keyState = stateOf(key, nowMs);
  return keyState === 'revoked' || keyState === 'expired';
}

/** Whether the key cannot be used, permanently or until its Hub is restored. A block does not count. */
export function isIdle(key: ApiKey, nowMs: number): boolean {
  return key.isHubDeleted || isOver(key, nowMs);
}

/** Counts working keys as the server does for a Hub: both keys of a rotation count, and so do blocked keys. */
export function countWorking(keys: readonly ApiKey[], nowMs: number): number {
  return keys.filter((key) => !isIdle(key, nowMs)).length;
}

/** Whether the key replaced a leaked one, which was revoked in the same step. */
export function isReplacementOf(key: ApiKey, before: ApiKey | undefined): boolean {
  return before?.revokedAt === key.createdAt;
}

/**
 * Returns the daily usage of a key. A list without usage takes it from the key as loaded before, and adds what the key
 * has done since then to the day of its last use. Undefined if the usage was never loaded.
 */
export function latestUsage(key: ApiKey, before: ApiKey | undefined): KeyDay[] | undefined {
  const usage = key.usage ?? before?.usage;
  const last = usage?.at(-1);
  if (key.usage || !before || !last || !key.lastUsedAt?.startsWith(last.day)) return usage;
  const posts = last.posts + key.postCount - before.postCount;
  const isBlockedSince = key.blockedUntil !== null && key.blockedUntil !== before.blockedUntil;
  return [...(usage ?? []).slice(0, -1), { ...last, posts, blocks: last.blocks + (isBlockedSince ? 1 : 0) }];
}
