const FIRST_MS = 500;
const MAX_MS = 15_000;

/**
 * Returns the wait before the next attempt after `failures` failed ones: a random part of a maximum that doubles each
 * time. It is random so that clients disconnected by the same restart do not all reconnect at the same time.
 */
export function backoffMs(failures: number, random: () => number): number {
  return Math.round(Math.min(MAX_MS, FIRST_MS * 2 ** failures) * random());
}
