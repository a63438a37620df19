import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import type { Style } from '../../runtime/output.ts';
import { showDistance } from '../../runtime/times.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WARNING_DAYS = [1, 7, 14];

/** The least of 1, 7 and 14 days within which the key expires; `undefined` if later, never, or if it has a successor. */
export function warningDays(key: ApiKey, nowMs: number): number | undefined {
  if (key.expiresAt === null || key.successorId !== null || key.revokedAt !== null) return undefined;
  const leftMs = Date.parse(key.expiresAt) - nowMs;
  return leftMs <= 0 ? undefined : WARNING_DAYS.find((days) => leftMs <= days * DAY_MS);
}

export function warningStyle(days: number): Style {
  return days === 1 ? 'red' : 'yellow';
}

/** One line for each key that needs a successor soon, below whatever was printed. */
export function warnOfExpiry(cli: Cli, keys: ApiKey[]): void {
  const now = cli.deps.clock.now();
  for (const key of keys) {
    const days = warningDays(key, now);
    if (days === undefined || key.expiresAt === null) continue;
    cli.output.warn(`The key ${key.name} expires ${showDistance(key.expiresAt, now)}. To give it a successor:`);
    cli.output.note(`  hubctl keys rotate ${key.id}`);
  }
}
