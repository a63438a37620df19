/** One page of a list and where the next one begins. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Cuts the one item off that was asked for beyond the limit, to learn whether there is more. */
export function pageOf<T extends { id: string }>(found: T[], limit: number): Page<T> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
