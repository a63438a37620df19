import { Refusal } from '../errors.ts';

/** How somebody may say when a key ends: at an instant, after a span, or (neither) as the default of the case. */
export interface ExpiryChoice {
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined;
  lifetimeSeconds?: number | undefined;
}

/** The instant that was chosen, or `fallback` if nothing was. Refuses both at once and an instant that has passed. */
export function chosenExpiry(choice: ExpiryChoice, now: number, fallback: number | null): number | null {
  const { expiresAt, lifetimeSeconds } = choice;
  if (expiresAt !== undefined && lifetimeSeconds !== undefined) {
    throw new Refusal('invalid', 'expiresAt and lifetimeSeconds exclude each other: send one of them.');
  }
  if (lifetimeSeconds !== undefined) return now + lifetimeSeconds * 1000;
  if (expiresAt === undefined) return fallback;
  if (expiresAt <= now) throw new Refusal('invalid', 'expiresAt has passed: send an instant in the future.');
  return expiresAt;
}
