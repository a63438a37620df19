import type { Spot } from './feed-scroll.ts';

const MAX = 200;
const spots = new Map<string, Spot>();

/** Returns the scroll position saved for an entry in this tab's history. */
export function spotOf(key: string): Spot | undefined {
  return spots.get(key);
}

export function saveSpot(key: string, spot: Spot): void {
  spots.delete(key);
  spots.set(key, spot);
  const [oldest] = spots.keys();
  if (spots.size > MAX && oldest !== undefined) spots.delete(oldest);
}
