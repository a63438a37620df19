import type { ApiKey } from '@hub/contract';
import { currentState } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';
import type { Cli } from '../../runtime/cli.ts';
import type { Style } from '../../runtime/output.ts';
import { showDistance } from '../../runtime/times.ts';

/**
 * Returns which expiry warning is due, in days before the expiry. Returns `null` if none is due, if the key already has
 * a successor, or if it cannot have one.
 */
export function warningDays(key: ApiKey, nowMs: number): number | null {
  const state = currentState(key, nowMs);
  const isOver = state === 'revoked' || state === 'expired';
  return isOver || key.successorId !== null || key.isHubDeleted ? null : dueWarning(key, nowMs);
}

export function warningStyle(days: number): Style {
  return days === 1 ? 'red' : 'yellow';
}

/** Warns about each key that expires soon, below the output of the command. */
export function warnOfExpiry(cli: Cli, keys: ApiKey[]): void {
  const now = cli.deps.clock.now();
  for (const key of keys) {
    const days = warningDays(key, now);
    if (days === null || key.expiresAt === null) continue;
    cli.output.warn(`The key ${key.name} expires ${showDistance(key.expiresAt, now)}. To rotate it:`);
    cli.output.note(`  hubctl keys rotate ${key.id}`);
  }
}
