import { LIMITS } from '@hub/contract';
import { makeZip } from 'client-zip';
import { type Caller, changeAs, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { isoTime } from '../../platform/time.ts';
import type { HubListing } from '../../storage/hubs.ts';
import { BEFORE_ALL_ITEMS } from '../../storage/item-pages.ts';
import { type ItemRecord, type ItemRowKind, ROWS_OF } from '../../storage/items.ts';
import type { Store } from '../../storage/store.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { memberView } from '../hubs/members.ts';
import { hubView, pinnedIds } from '../hubs/show-hubs.ts';
import { itemView } from '../items/item-view.ts';

/**
 * Returns all content of a Hub, piece by piece, to a caller who may read it, once it is in the audit log. If they lose
 * access meanwhile, they get no more: `reauthorize` throws if the credential is no longer valid.
 */
export async function exportHub(
  deps: Deps,
  caller: Caller,
  hubId: string,
  { turns, reauthorize, withFiles }: { turns: Turns; reauthorize: () => Promise<void>; withFiles: boolean },
): Promise<AsyncIterable<string | Uint8Array>> {
  const { hub, exportedAt } = await changeAs(deps, caller, async (tx, current) => {
    const hub = await readableHub(tx, current, hubId);
    const { id, name } = hub;
    const { at } = await recordAction(tx, deps, current, { action: 'hub.exported', hubId: id, target: { id, name } });
    return { hub, exportedAt: at };
  });
  const options: DocumentOptions = {
    exportedAt,
    turns,
    check: async () => {
      await reauthorize();
      await readableHub(deps.store, caller, hub.id);
    },
  };
  return withFiles ? makeZip(archiveEntries(deps, hub, options)) : hubDocument(deps, hub, options);
}

/** Yields what an archive contains. Files are not compressed: most of their formats are. */
async function* archiveEntries({ store }: DocumentDeps, hub: HubListing, options: DocumentOptions) {
  yield { name: 'export.json', input: hubDocument({ store }, hub, options), lastModified: options.exportedAt };
  for (let before: string | undefined; ; ) {
    const files = await store.files.listOfHub({ hubId: hub.id, limit: LIMITS.pageItems, before });
    for (const file of files) {
      // As some systems forbid these characters, the name differs from that in the document, which has the id, too.
      const name = `files/${file.id}-${file.name.replace(/[<>:"|?*]/g, '_')}`;
      yield { name, input: inTurns(contentOf(store, file), options), lastModified: file.createdAt };
    }
    before = files.at(-1)?.id;
    if (files.length < LIMITS.pageItems) return;
  }
}

const PIECE_BYTES = 256 * 1024;

/** Yields the bytes of a file, a piece in memory at a time. Between two pieces, nothing is open. */
async function* contentOf({ contents }: Store, { id, size }: { id: string; size: number }) {
  const content = contents.read(id, { start: 0, end: size });
  if (!(content instanceof Blob)) return yield* content;
  for (let start = 0; start < size; start += PIECE_BYTES) yield content.slice(start, start + PIECE_BYTES).bytes();
}

/** Runs one piece of work per turn of the event loop, in call order, so that requests are served in between. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}

type DocumentDeps = Pick<Deps, 'store'>;

interface DocumentOptions {
  exportedAt: number;
  /** Each page is read in a separate turn, even if many Hubs are exported at the same time. */
  turns: Turns;
  /** Called before each piece is sent. Throws if nothing more may be sent. */
  check: () => Promise<void>;
}

/** Maximum content of one page, unless it is a single item. As JSON it can be several times as large. */
const PAGE_BYTES = 512 * 1024;

/** Yields a `HubExport`, one page in memory at a time, up to `hub.seq`, so that it ends however fast others write. */
async function* hubDocument(
  { store }: DocumentDeps,
  hub: HubListing,
  options: DocumentOptions,
): AsyncGenerator<string> {
  const exported = hubView(hub, { pinnedIds: await pinnedIds({ store }, hub.id) });
  const { epoch } = await store.workspace.find();
  yield `{"exportedAt":${JSON.stringify(isoTime(options.exportedAt))},"epoch":${JSON.stringify(epoch)},"hub":${JSON.stringify(exported)}`;
  yield* jsonList('members', inTurns(memberPages({ store }, hub.id), options));
  for (const [kind, rows] of Object.entries(ROWS_OF)) {
    yield* jsonList(`${kind}s`, inTurns(itemPages({ store }, hub, rows), options));
  }
  yield '}\n';
}

async function* jsonList(name: string, pages: AsyncGenerator<object[]>): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  let isFirst = true;
  for await (const page of pages) {
    const lines = page.map((element) => `\n${JSON.stringify(element)}`).join(',');
    if (lines === '') continue;
    yield isFirst ? lines : `,${lines}`;
    isFirst = false;
  }
  yield ']';
}

/** Before each piece, lets other requests run, and checks whether it may still be sent. */
async function* inTurns<T>(pieces: AsyncGenerator<T>, { turns, check }: DocumentOptions): AsyncGenerator<T> {
  for (;;) {
    await turns.next();
    const { done, value } = await pieces.next();
    if (done) return;
    await check();
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

async function* itemPages(
  { store }: DocumentDeps,
  hub: Pick<HubListing, 'id' | 'seq'>,
  kinds: readonly ItemRowKind[],
): AsyncGenerator<object[]> {
  let after = BEFORE_ALL_ITEMS;
  let lastGlobalSeq = 0;
  for (;;) {
    const { items, next } = await store.items.list({
      hubIds: [hub.id],
      kinds,
      limit: LIMITS.pageItems,
      maxBytes: PAGE_BYTES,
      after,
    });
    // If the item at the cursor has since been erased, the list continues from its time and can repeat a few items.
    const further = items.reverse().filter(({ globalSeq, seq }) => globalSeq > lastGlobalSeq && seq <= hub.seq);
    yield further.map(itemView);
    const last: ItemRecord | undefined = items.at(-1);
    if (next === null || !last || last.seq > hub.seq) return;
    lastGlobalSeq = last.globalSeq;
    after = next;
  }
}
