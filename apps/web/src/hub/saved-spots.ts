import type { Spot } from './feed-scroll.ts';

const MAX = 200;
const spots = new Map<string, Spot>();

/** Where one stood in the list of an entry of this tab's history, so that one comes back to it. */
export function spotOf(key: string): Spot | undefined {
  return spots.get(key);
}

export function saveSpot(key: string, spot: Spot): void {
  spots.delete(key);
  spots.set(key, spot);
  const [oldest] = spots.keys();
  if (spots.size > MAX && oldest !== undefined) spots.delete(oldest);
}
