import type { Item } from '../items.ts';
import type { WorkspaceClient } from './index.ts';

/** Reads the items of a Hub, newest first, until `isEnough`; by default, all of them. */
export async function itemsOf(
  { request }: WorkspaceClient,
  hubId: string,
  isEnough: (oldest: Item) => boolean = () => false,
): Promise<{ items: Item[]; seq: number; epoch: string }> {
  const items: Item[] = [];
  let position: { seq: number; epoch: string } | undefined;
  let before: string | undefined;
  do {
    const page = await request('GET /stream', { query: { hubId, before, limit: 100 } });
    // Newer items than those of the first page arrive as events.
    position ??= { seq: page.seqs[hubId] ?? 0, epoch: page.epoch };
    items.push(...page.items);
    const oldest = items.at(-1);
    before = oldest && isEnough(oldest) ? undefined : (page.next ?? undefined);
  } while (before !== undefined);
  return { items, ...position };
}
