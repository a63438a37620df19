import { LIMITS } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { hubView } from '../hubs/hub-view.ts';
import { memberView } from '../hubs/member-view.ts';
import { itemView } from '../items/item-view.ts';
import { BEFORE_ALL_ITEMS, type ItemRecord, type ItemRowKind } from '../store/item-store.ts';
import type { HubListing } from '../store/store.ts';
import { isoTime } from '../time.ts';
import type { Turns } from './turns.ts';

type DocumentDeps = Pick<Deps, 'store'>;

interface DocumentOptions {
  exportedAt: number;
  /** Each page is read in a turn of its own, also if many Hubs are exported at once. */
  turns: Turns;
  /** Asked before each page. Throws if no more of it is to go out. */
  check: () => Promise<void>;
}

/** What the items of one page say together, unless it is one item. As JSON it may be some times as much. */
const PAGE_BYTES = 512 * 1024;

const KINDS_OF = {
  messages: ['message', 'reply'],
  notes: ['note'],
  todos: ['todo'],
} as const satisfies Record<string, readonly ItemRowKind[]>;

/**
 * The JSON of a `HubExport`, in pieces of one page each, whose size has a bound: no more than that is ever in memory, and others are served between
 * two of them. What was announced after `hub.seq` is left out, so that an end is reached however fast others write.
 */
export async function* hubDocument(
  { store }: DocumentDeps,
  hub: HubListing,
  { exportedAt, turns, check }: DocumentOptions,
): AsyncGenerator<string> {
  const { isMember, readSeq, readSeqs, unreadCount, unreadCounts, unreadMentionIds, ...notified } = hubView(hub);
  const { epoch } = await store.workspace();
  yield `{"exportedAt":${JSON.stringify(isoTime(exportedAt))},"epoch":${JSON.stringify(epoch)},"hub":${JSON.stringify(notified)}`;
  yield* jsonList('members', inTurns(memberPages({ store }, hub.id), turns), check);
  for (const [name, kinds] of Object.entries(KINDS_OF)) {
    yield* jsonList(name, inTurns(itemPages({ store }, hub, kinds), turns), check);
  }
  yield '}\n';
}

/** A further field of an object, one element on each line. */
async function* jsonList(
  name: string,
  pages: AsyncGenerator<object[]>,
  check: () => Promise<void>,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  let isFirst = true;
  for await (const page of pages) {
    await check();
    const lines = page.map((element) => `\n${JSON.stringify(element)}`).join(',');
    if (lines === '') continue;
    yield isFirst ? lines : `,${lines}`;
    isFirst = false;
  }
  yield ']';
}

/** Reading and sending alone would never let go of the thread: requests that came meanwhile go first. */
async function* inTurns(pages: AsyncGenerator<object[]>, turns: Turns): AsyncGenerator<object[]> {
  for (;;) {
    await turns.next();
    const { done, value } = await pages.next();
    if (done) return;
    yield value;
  }
}

async function* memberPages({ store }: DocumentDeps, hubId: string): AsyncGenerator<object[]> {
  let before: string | undefined;
  for (;;) {
    const page = await store.memberships.listMembers({ hubId, limit: LIMITS.pageItems, before });
    yield page.map(({ user, ...membership }) => memberView(membership, user));
    before = page.at(-1)?.user.id;
    if (page.length < LIMITS.pageItems) return;
  }
}

/** Oldest first. */
async function* itemPages(
  { store }: DocumentDeps,
  hub: Pick<HubListing, 'id' | 'seq'>,
  kinds: readonly ItemRowKind[],
): AsyncGenerator<object[]> {
  let after = BEFORE_ALL_ITEMS;
  let lastRank = 0;
  for (;;) {
    const { items, next } = await store.items.list({
      hubIds: [hub.id],
      kinds,
      limit: LIMITS.pageItems,
      maxBytes: PAGE_BYTES,
      after,
    });
    // Where the place was erased meanwhile, the list goes on by its time, and may repeat some.
    const further = items.reverse().filter(({ rank, seq }) => rank > lastRank && seq <= hub.seq);
    yield further.map(itemView);
    const last: ItemRecord | undefined = items.at(-1);
    if (next === null || !last || last.seq > hub.seq) return;
    lastRank = last.rank;
    after = next;
  }
}
