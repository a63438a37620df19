import { connectLive, type Following, type Live, type LiveState } from '@hub/client/live';
import type { ErasedItem, EventFrame, Hub, Item, ReadMark } from '@hub/contract';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { path, request } from '../api/request.ts';
import { type ItemStore, isThere } from '../items/item-store.ts';

/** `hubs.changed` goes to everybody at once: they should not all ask at once. */
const SOON_MS = 300;
const SPREAD_MS = 700;

export interface HubsOptions {
  items: ItemStore;
  myId: string;
  /** The session is over. */
  onSignedOut: () => void;
}

/**
 * The Hubs of whoever is signed in, and the one connection over which they are followed. Every event goes to the items first,
 * so that who hears of it here finds them as they are.
 */
export class Hubs {
  readonly #options: HubsOptions;
  readonly #live: Live;
  readonly #hubs = signal<readonly Hub[]>([]);
  readonly #isLoaded = signal(false);
  readonly #connection: Signal<LiveState> = signal<LiveState>({ status: 'connecting' });
  readonly #following = new Map<string, Following>();
  readonly #listeners = new Set<(event: EventFrame) => void>();
  /** How far each Hub was read here, before the server has said so. */
  readonly #marks = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Those that one belongs to, by name. */
  readonly mine = computed(() =>
    this.#hubs.value
      .filter((hub) => hub.isMember && hub.deletedAt === null)
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  );
  readonly unreadCount = computed(() => this.mine.value.reduce((sum, hub) => sum + (hub.unreadCount ?? 0), 0));

  constructor(options: HubsOptions) {
    this.#options = options;
    this.#live = connectLive({
      onState: (state) => {
        this.#connection.value = state;
        if (state.status === 'ended' && state.reason === 'unauthenticated') options.onSignedOut();
      },
      onHubsChanged: () => this.#reloadSoon(),
    });
  }

  get connection(): ReadonlySignal<LiveState> {
    return this.#connection;
  }

  get isLoaded(): ReadonlySignal<boolean> {
    return this.#isLoaded;
  }

  /** Every Hub that the server tells of: for admins also those that they manage and do not read. */
  get all(): ReadonlySignal<readonly Hub[]> {
    return this.#hubs;
  }

  find(hubId: string): Hub | undefined {
    return this.#hubs.value.find(({ id }) => id === hubId);
  }

  /** Loads the list, follows who is new in it and leaves who is not in it any more. */
  async load(): Promise<void> {
    const hubs: Hub[] = [];
    let before: string | null = null;
    do {
      const page: { items: Hub[]; next: string | null } = await request('GET', '/hubs', {
        query: { before, limit: 100 },
      });
      hubs.push(...page.items);
      before = page.next;
    } while (before !== null);
    this.#hubs.value = hubs.map((hub) => this.#merge(hub));
    this.#isLoaded.value = true;
    const mine = new Map(this.mine.value.map((hub) => [hub.id, hub]));
    for (const [id, following] of this.#following) {
      if (mine.has(id)) continue;
      following.stop();
      this.#following.delete(id);
      this.#options.items.forgetHub(id);
    }
    for (const hub of mine.values()) if (!this.#following.has(hub.id)) this.#follow(hub);
  }

  /** Calls `listener` with every event of every Hub, after the items have taken it. The result ends that. */
  onEvent(listener: (event: EventFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** All up to this event has been read: shown at once, and told to the server. */
  async markRead(hubId: string, seq: number): Promise<void> {
    const hub = this.find(hubId);
    if (!hub || hub.readSeq === null || seq <= Math.max(hub.readSeq, this.#marks.get(hubId) ?? 0)) return;
    this.#marks.set(hubId, seq);
    if (seq >= hub.seq) this.#change(hubId, { readSeq: seq, unreadCount: 0 });
    try {
      const mark = await request<ReadMark>('PUT', path`/hubs/${hubId}/read`, { body: { seq } });
      const now = this.find(hubId);
      if (!now || (now.readSeq ?? 0) > mark.readSeq) return;
      // What has come since is perhaps not counted in this answer; it is counted here.
      const unreadCount = now.seq === hub.seq ? mark.unreadCount : now.unreadCount;
      this.#change(hubId, { readSeq: mark.readSeq, unreadCount });
    } finally {
      if (this.#marks.get(hubId) === seq) this.#marks.delete(hubId);
    }
  }

  /** Tries at once to come back, if there is no connection. */
  reconnect(): void {
    this.#live.wake();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#live.close();
  }

  #follow(hub: Hub): void {
    const { items } = this.#options;
    const following = this.#live.follow(hub.id, {
      after: hub.seq,
      onEvent: (received) => {
        // The same frames; the contract knows the types of blocks, too.
        const event = received as EventFrame;
        items.apply(event);
        this.#takeEvent(event);
        for (const listener of this.#listeners) listener(event);
      },
      onReset: async () => {
        await Promise.all([items.resetHub(hub.id), this.load()]);
      },
      onEnd: () => {
        this.#following.delete(hub.id);
        this.#reloadSoon();
      },
    });
    this.#following.set(hub.id, following);
  }

  #takeEvent(event: EventFrame): void {
    const { hubId, seq } = event;
    if (event.event === 'hub.changed') this.#change(hubId, { ...event.data, seq });
    else this.#change(hubId, { seq });
    if (!isNewItem(event) || !isThere(event.data) || !this.isUnread(event.data)) return;
    this.#countUnread(hubId);
  }

  /** Whether others wrote it after the mark. Replies count as none of their own: their message tells of them. */
  isUnread(item: Item): boolean {
    const hub = this.find(item.hubId);
    if (!hub || hub.readSeq === null || item.author.id === this.#options.myId) return false;
    return item.seq > hub.readSeq && !(item.kind === 'message' && item.parentId !== null);
  }

  #countUnread(hubId: string): void {
    const hub = this.find(hubId);
    if (hub && hub.unreadCount !== null) this.#change(hubId, { unreadCount: hub.unreadCount + 1 });
  }

  #change(hubId: string, change: Partial<Hub>): void {
    this.#hubs.value = this.#hubs.peek().map((hub) => (hub.id === hubId ? { ...hub, ...change } : hub));
  }

  /** A list that was asked for before an event, or before something was read, takes neither back. */
  #merge(hub: Hub): Hub {
    const known = this.#hubs.peek().find(({ id }) => id === hub.id);
    if (!known || known.readSeq === null || hub.readSeq === null) return hub;
    const isOlder = known.seq > hub.seq || known.readSeq > hub.readSeq || this.#marks.has(hub.id);
    return isOlder ? { ...hub, seq: known.seq, readSeq: known.readSeq, unreadCount: known.unreadCount } : hub;
  }

  #reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.load().catch(() => this.#reloadSoon()),
      SOON_MS + Math.random() * SPREAD_MS,
    );
  }
}

function isNewItem(event: EventFrame): event is Extract<EventFrame, { data: Item | ErasedItem }> {
  return /^(?:message|note|todo)\.(?:created|restored)$/.test(event.event);
}
