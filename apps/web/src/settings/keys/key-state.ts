import type { ApiKey, KeyState } from '@hub/contract';
import { currentState } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';

/** How a key stands, as the list shows it. `hubless`: its Hub was deleted, and may be restored. */
export type KeyStatus = KeyState | 'expiring' | 'hubless';

/** Its state, with what ended by itself since the server told it, and what the list shows in the place of some states. */
export function stateOf(key: ApiKey, nowMs: number): KeyStatus {
  const state = currentState(key, nowMs);
  if (state === 'revoked' || state === 'expired') return state;
  if (key.isHubDeleted) return 'hubless';
  return state === 'active' && dueWarning(key, nowMs) !== null ? 'expiring' : state;
}

/** Whether it is refused for good. */
export function isOver(key: ApiKey, nowMs: number): boolean {
  const keyState = stateOf(key, nowMs);
  return keyState === 'revoked' || keyState === 'expired';
}

/** Whether no program can post with it, for good or until its Hub is restored. A block ends by itself. */
export function isIdle(key: ApiKey, nowMs: number): boolean {
  return key.isHubDeleted || isOver(key, nowMs);
}

/** How many programs can post with them now, as the server counts them for a Hub: of a rotation both, and who is blocked is let in again. */
export function countWorking(keys: readonly ApiKey[], nowMs: number): number {
  return keys.filter((key) => !isIdle(key, nowMs)).length;
}

/** Whether the one before it was revoked in the same step, as one that leaked is. After a rotation it goes on for a while. */
export function isReplacementOf(key: ApiKey, before: ApiKey | undefined): boolean {
  return before?.revokedAt === key.createdAt;
}
