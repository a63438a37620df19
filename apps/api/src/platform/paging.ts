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

/** Reads a page of views. `read` is asked for one row more, which only shows that there are more. */
export async function readPage<Row, View extends { id: string }>(
  { limit, before }: PageRequest,
  read: (request: PageRequest) => Promise<Row[]>,
  view: (row: Row) => View,
): Promise<Page<View>> {
  return pageOf((await read({ limit: limit + 1, before })).map(view), limit);
}

/** Returns a page from a query for `limit + 1` items. The extra item only shows that there are more. */
export function pageOf<T extends { id: string }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
