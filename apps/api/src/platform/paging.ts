/** A page of a list, newest first: at most `limit` entries before the id `before`. */
export interface PageRequest {
  limit: number;
  before?: string | undefined;
}

/** A page of a list, and the cursor of the next page. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Returns a page from a query for `limit + 1` items. The extra item only shows that there are more. */
export function pageOf<T extends { id: string }>(found: T[], limit: number): Page<T> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
