import type { Item, StreamPage, WireKind } from '@hub/contract';
import { MAX_PAGE_ITEMS } from '@hub/contract/common-limits';
import type { WorkspaceApi } from '../../runtime/workspace-api.ts';

/** The start of what is shown: an event number, or milliseconds since 1970 (0 for everything). */
export type Since = { seq: number } | { at: number };

/** The parsed options of `hubctl tail`. */
export interface TailOptions {
  since: Since | undefined;
  /** The number of earlier items to show. */
  limit: number;
  /** `undefined`: everything, including events of the Hubs themselves. */
  kinds: ReadonlySet<WireKind> | undefined;
}

interface EarlierOptions {
  /** `undefined`: all Hubs that you can read. */
  hubIds: readonly string[] | undefined;
  kinds: ReadonlySet<WireKind> | undefined;
  /** The number of items to read. */
  limit: number;
  /** Returns whether an item is new enough. Older ones are not. */
  isWanted: (item: Item) => boolean;
}

/** Earlier items, and the events from which to follow the Hubs: newer items arrive as events. */
interface Earlier {
  /** Oldest first. */
  items: Item[];
  seqs: Record<string, number>;
  epoch: string | undefined;
}

/** Reads the newest items of Hubs. */
export async function readEarlier(
  api: WorkspaceApi,
  { hubIds, kinds, limit, isWanted }: EarlierOptions,
): Promise<Earlier> {
  const items: Item[] = [];
  const seqs: Record<string, number> = {};
  let epoch: string | undefined;
  for (const hubId of hubIds ?? [undefined]) {
    let [before, left]: [string | null | undefined, number] = [undefined, limit];
    do {
      const query = { hubId, before, limit: Math.max(1, Math.min(left, MAX_PAGE_ITEMS)) };
      const page: StreamPage = await api.request('GET /stream', { query });
      if (before === undefined) Object.assign(seqs, page.seqs);
      epoch ??= page.epoch;
      const recent = page.items.filter(isWanted);
      const wanted = recent.filter(({ kind }) => kinds?.has(kind) ?? true).slice(0, left);
      items.push(...wanted);
      left -= wanted.length;
      before = recent.length < page.items.length ? null : page.next;
    } while (before !== null && left > 0);
  }
  const sorted = items.sort((one, other) => (isNewer(one.id, other.id) ? 1 : -1));
  return { items: limit === 0 ? [] : sorted.slice(-limit), seqs, epoch };
}

/** Returns whether an item was created after another one. An ID is a prefix and a ULID (github.com/ulid/spec). */
export function isNewer(id: string, other: string): boolean {
  return id.slice(id.indexOf('_') + 1) > other.slice(other.indexOf('_') + 1);
}
