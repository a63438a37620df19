const FIRST_MS = 500;
const MAX_MS = 15_000;

/**
 * How long to wait before the next attempt, after `failures` of them: anything up to a span that doubles each time.
 * Spread over all of it, so that those whom a restart has cut off together do not come back together.
 */
export function backoffMs(failures: number, random: () => number): number {
  return Math.round(Math.min(MAX_MS, FIRST_MS * 2 ** failures) * random());
}
