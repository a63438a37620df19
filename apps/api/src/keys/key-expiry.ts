import { AppError } from '../core/errors.ts';
import { isoTime } from '../core/time.ts';

/** The limit of `lifetimeSeconds` in the contract, 100 years. For longer, use a key that never expires. */
const MAX_LIFETIME_MS = 3_155_760_000 * 1000;
const DAY_MS = 86_400_000;

/** The requested expiry: a time, a lifetime, or neither for the default. */
export interface ExpiryChoice {
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined;
  lifetimeSeconds?: number | undefined;
}

/**
 * Returns the chosen expiry, or `fallback` if none was chosen. Throws `invalid` if both fields are given, or if the
 * time is in the past or more than 100 years away.
 */
export function chosenExpiry(choice: ExpiryChoice, now: number, fallback: number | null): number | null {
  const { expiresAt, lifetimeSeconds } = choice;
  if (expiresAt !== undefined && lifetimeSeconds !== undefined) {
    throw new AppError('invalid', 'expiresAt and lifetimeSeconds cannot be combined: send one of them.');
  }
  if (lifetimeSeconds !== undefined) return now + lifetimeSeconds * 1000;
  if (expiresAt === undefined) return fallback;
  if (expiresAt <= now) throw new AppError('invalid', 'expiresAt is in the past: send a time in the future.');
  if (expiresAt > now + MAX_LIFETIME_MS) {
    throw new AppError('invalid', 'expiresAt is more than 100 years away: omit it for a key that never expires.');
  }
  return expiresAt;
}

/**
 * Throws `invalid` if a new key would last longer than the workspace allows, whether its expiry was chosen or comes
 * from its predecessor.
 */
export function requireWithinMaxLifetime(expiresAt: number | null, now: number, maxDays: number | null): void {
  if (maxDays === null) return;
  const latest = now + maxDays * DAY_MS;
  if (expiresAt !== null && expiresAt <= latest) return;
  const end = expiresAt === null ? 'never expire' : `work until ${isoTime(expiresAt)}`;
  const days = maxDays === 1 ? 'one day' : `${maxDays} days`;
  throw new AppError(
    'invalid',
    `This key would ${end}, but keys in this workspace can last at most ${days}: set expiresAt to ${isoTime(latest)} or earlier, or lifetimeSeconds to ${days} or less.`,
  );
}
