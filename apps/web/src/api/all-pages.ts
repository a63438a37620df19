import { type RequestOptions, request } from './request.ts';

const PAGE_ITEMS = 100;

/** Returns every item of a list, loading page after page. */
export async function allPages<T>(to: string, query: RequestOptions['query'] = {}): Promise<T[]> {
  const all: T[] = [];
  let before: string | null = null;
  do {
    const page: { items: T[]; next: string | null } = await request('GET', to, {
      query: { ...query, before, limit: PAGE_ITEMS },
    });
    all.push(...page.items);
    before = page.next;
  } while (before !== null);
  return all;
}
