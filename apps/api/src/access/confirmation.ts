import { AppError } from '../platform/errors.ts';
import type { Reads } from '../storage/repositories.ts';
import type { Caller } from './actor.ts';

/** How long a password counts as confirmed. */
export const CONFIRMED_MS = 15 * 60 * 1000;

/**
 * Throws `forbidden` in a session in which the password was last entered more than 15 minutes ago. It guards what could
 * give lasting access to anyone at an unlocked browser. Operations that always do so declare it (`confirmation:
 * 'always'`).
 */
export async function requireConfirmed(
  { users }: { users: Pick<Reads['users'], 'passwordGivenAt'> },
  { credential }: Pick<Caller, 'credential'>,
  now: number,
): Promise<void> {
  if (credential.kind !== 'session') return;
  const givenAt = await users.passwordGivenAt(credential.id);
  if (givenAt !== null && now - givenAt <= CONFIRMED_MS) return;
  throw new AppError(
    'forbidden',
    'Confirm your password first: you last entered it more than 15 minutes ago. Nothing was changed.',
    // Marks the error that a confirmation resolves, so that a page does not have to parse its message.
    { 'hub-confirmation': 'password' },
  );
}
