import { AppError } from '../errors.ts';
import { isoTime } from '../time.ts';

/** As for `lifetimeSeconds` in the contract. Whoever wants longer wants no expiry. */
const MAX_LIFETIME_MS = 3_155_760_000 * 1000;
const DAY_MS = 86_400_000;

/** How somebody may say when a key ends: at an instant, after a span, or (neither) as the default of the case. */
export interface ExpiryChoice {
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined;
  lifetimeSeconds?: number | undefined;
}

/** The instant that was chosen, or `fallback` if nothing was. Refuses both at once, an instant that has passed, and one
 * more than 100 years away. */
export function chosenExpiry(choice: ExpiryChoice, now: number, fallback: number | null): number | null {
  const { expiresAt, lifetimeSeconds } = choice;
  if (expiresAt !== undefined && lifetimeSeconds !== undefined) {
    throw new AppError('invalid', 'expiresAt and lifetimeSeconds exclude each other: send one of them.');
  }
  if (lifetimeSeconds !== undefined) return now + lifetimeSeconds * 1000;
  if (expiresAt === undefined) return fallback;
  if (expiresAt <= now) throw new AppError('invalid', 'expiresAt has passed: send an instant in the future.');
  if (expiresAt > now + MAX_LIFETIME_MS) {
    throw new AppError('invalid', 'expiresAt is more than 100 years away: leave it out for a key that never expires.');
  }
  return expiresAt;
}

/**
 * Refuses a new key that would outlive what the workspace allows, whether that end was chosen or comes from the key before it.
 */
export function requireWithinMaxLifetime(expiresAt: number | null, now: number, maxDays: number | null): void {
  if (maxDays === null) return;
  const latest = now + maxDays * DAY_MS;
  if (expiresAt !== null && expiresAt <= latest) return;
  const end = expiresAt === null ? 'never expire' : `work until ${isoTime(expiresAt)}`;
  const days = maxDays === 1 ? 'one day' : `${maxDays} days`;
  throw new AppError(
    'invalid',
    `This key would ${end}, and keys of this workspace last ${days} at most: give expiresAt no later than ${isoTime(latest)}, or lifetimeSeconds for ${days} or less.`,
  );
}
