import type { ApiKey, KeyState } from '@hub/contract';
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
