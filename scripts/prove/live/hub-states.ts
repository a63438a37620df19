import type { EventFrame, Item, StreamPage } from '@hub/contract';
import { isItem, slim } from '@hub/testkit';

interface HubState {
  items: Map<string, Item>;
  /** The event up to which the state is known. */
  seq: number;
  /** Events that have arrived while a list is loading. */
  waiting?: EventFrame[] | undefined;
}

/** The Hubs of one reader, as built from events alone, or after a `reset` from a list and the events after it. */
export class HubStates {
  readonly #hubs = new Map<string, HubState>();
  readonly #load: (hubId: string) => Promise<HubState>;

  constructor(load: (hubId: string) => Promise<HubState>) {
    this.#load = load;
  }

  readonly take = (event: EventFrame): void => {
    const hub: HubState = this.#hubs.get(event.hubId) ?? { items: new Map(), seq: 0 };
    this.#hubs.set(event.hubId, hub);
    if (hub.waiting) hub.waiting.push(event);
    else apply(hub.items, event);
  };

  readonly reset = async (hubId: string): Promise<void> => {
    const waiting: EventFrame[] = [];
    this.#hubs.set(hubId, { items: new Map(), seq: 0, waiting });
    const loaded = await this.#load(hubId);
    this.#hubs.set(hubId, loaded);
    // These may have arrived before the list was read, and so may be older than the list.
    for (const event of waiting) if (event.seq > loaded.seq) apply(loaded.items, event);
  };

  /** Returns the differences between a Hub's state and a fresh load. */
  differences(hubId: string, fresh: HubState): string[] {
    const items = this.#hubs.get(hubId)?.items ?? new Map<string, Item>();
    const wrong = [...fresh.items].flatMap(([id, item]) => {
      const held = items.get(id);
      if (!held) return [`${id} is absent`];
      return Bun.deepEquals(held, item, true) ? [] : [`${id} is ${JSON.stringify(held)}, not ${JSON.stringify(item)}`];
    });
    return wrong.concat([...items.keys()].filter((id) => !fresh.items.has(id)).map((id) => `${id} should be gone`));
  }
}

/**
 * Applies an event as docs/live.md says: it replaces the item; a deleted item is removed, unless it is a message with
 * replies.
 */
function apply(items: Map<string, Item>, event: EventFrame): void {
  if (event.event === 'items.pruned') {
    for (const [id, { createdAt }] of items) if (createdAt < event.data.before) items.delete(id);
    return;
  }
  const { data } = event;
  if (!('kind' in data)) return;
  const isShown = isItem(data) && (data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0));
  if (isShown) items.set(data.id, data);
  else items.delete(data.id);
}

/** Reads a whole Hub from the Stream, page by page. Retries while there is no server. */
export async function loadHub(url: string, token: string, hubId: string): Promise<HubState> {
  for (;;) {
    const loaded = await readPages(url, token, hubId).catch(() => null);
    if (loaded) return loaded;
    await Bun.sleep(300);
  }
}

async function readPages(url: string, token: string, hubId: string): Promise<HubState | null> {
  const hub: HubState = { items: new Map(), seq: Number.POSITIVE_INFINITY };
  for (let before: string | null = ''; before !== null; ) {
    const cursor: string = before && `&before=${before}`;
    const path = `/api/v1/stream?hubId=${hubId}&limit=100${cursor}`;
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    if (response.status === 503) return null;
    const page = (await response.json()) as StreamPage;
    for (const item of page.items) hub.items.set(item.id, slim(item));
    // Together, the pages are only as up to date as the oldest of them.
    hub.seq = Math.min(hub.seq, page.seqs[hubId] ?? 0);
    before = page.next;
  }
  return hub;
}
