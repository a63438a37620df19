import { connectLive, type Following, type Live, type LiveState, type Position } from '@hub/client/live';
import type { ErasedItem, EventFrame, Hub, Item, ReadMark, WorkspaceTopic } from '@hub/contract';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { path, request } from '../api/request.ts';
import { type ItemStore, isThere } from '../items/item-store.ts';
import { CatchingUp } from './catching-up.ts';
import { loadHubs } from './load-hubs.ts';
import { type LostHub, WHY } from './lost-hub.ts';

/** `hubs.changed` goes to everybody at once: they should not all ask at once. */
const SOON_MS = 300;
const SPREAD_MS = 700;
/** Where posts pour in, not each is worth a request that says that it was read. */
const MARK_MS = 1_000;

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
  #live: Live;
  readonly #hubs = signal<readonly Hub[]>([]);
  readonly #isLoaded = signal(false);
  readonly #connection: Signal<LiveState> = signal<LiveState>({ status: 'connecting' });
  readonly #following = new Map<string, Following>();
  /** Up to which event each Hub is done with, as of when its connection ended. */
  readonly #positions = new Map<string, Position>();
  readonly #lost = signal<ReadonlyMap<string, LostHub>>(new Map());
  readonly #caughtUp = signal<{ posts: number } | null>(null);
  readonly #catchingUp = new CatchingUp((posts) => {
    this.#caughtUp.value = { posts };
  });
  #wasLive = false;
  readonly #listeners = new Set<(event: EventFrame) => void>();
  readonly #newsListeners = new Set<(topics: readonly WorkspaceTopic[]) => void>();
  /** How far each Hub was read here, before the server has said so. */
  readonly #marks = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Those that one belongs to, by name. */
  readonly mine = computed(() =>
    this.#hubs.value
      .filter((hub) => hub.isMember && hub.deletedAt === null)
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  );
  /** What each is called. It stays the same while nothing is called otherwise. */
  readonly names = computed<ReadonlyMap<string, string>>((): ReadonlyMap<string, string> => {
    const names = new Map(this.mine.value.map(({ id, name }) => [id, name]));
    const last = this.#lastNames;
    const isSame = last.size === names.size && [...names].every(([id, name]) => last.get(id) === name);
    if (!isSame) this.#lastNames = names;
    return this.#lastNames;
  });
  #lastNames: ReadonlyMap<string, string> = new Map();
  readonly unreadCount = computed(() => this.mine.value.reduce((sum, hub) => sum + (hub.unreadCount ?? 0), 0));

  constructor(options: HubsOptions) {
    this.#options = options;
    this.#live = this.#connect();
  }

  get connection(): ReadonlySignal<LiveState> {
    return this.#connection;
  }

  get isLoaded(): ReadonlySignal<boolean> {
    return this.#isLoaded;
  }

  /** What has become of Hubs that were there. */
  get lost(): ReadonlySignal<ReadonlyMap<string, LostHub>> {
    return this.#lost;
  }

  /** Set anew whenever all is there that arrived while there was no connection. */
  get caughtUp(): ReadonlySignal<{ posts: number } | null> {
    return this.#caughtUp;
  }

  /** Every Hub that the server tells of: for admins also those that they manage and do not read. */
  get all(): ReadonlySignal<readonly Hub[]> {
    return this.#hubs;
  }

  find(hubId: string): Hub | undefined {
    return this.#hubs.value.find(({ id }) => id === hubId);
  }

  /** Loads the list, follows who is new in it and leaves who is not in it any more. Of `resetId` nothing counts that was known. */
  async load(resetId?: string): Promise<void> {
    const isFirst = !this.#isLoaded.peek();
    const hubs = await loadHubs();
    this.#hubs.value = hubs.map((hub) => (hub.id === resetId ? hub : this.#merge(hub)));
    this.#isLoaded.value = true;
    const mine = new Map(this.mine.value.map((hub) => [hub.id, hub]));
    for (const [id, following] of this.#following) {
      if (mine.has(id)) continue;
      following.stop();
      this.#lose(id, 'gone');
    }
    const added = [...mine.values()].filter(({ id }) => !this.#following.has(id));
    for (const hub of added) this.#follow(hub);
    if (isFirst || added.length === 0) return;
    this.#lost.value = new Map([...this.#lost.peek()].filter(([id]) => !mine.has(id)));
    // What was in them before belongs into the lists, too.
    await Promise.all(added.map(({ id }) => this.#options.items.resetHub(id)));
  }

  /** Calls `listener` with every event of every Hub, after the items have taken it. The result ends that. */
  onEvent(listener: (event: EventFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` when lists of the workspace show something else than before. The result ends that. */
  onWorkspaceChanged(listener: (topics: readonly WorkspaceTopic[]) => void): () => void {
    this.#newsListeners.add(listener);
    return () => this.#newsListeners.delete(listener);
  }

  /** All up to this event has been read: shown at once, and told to the server once a second at most. */
  async markRead(hubId: string, seq: number): Promise<void> {
    const hub = this.find(hubId);
    if (!hub || hub.readSeq === null || seq <= Math.max(hub.readSeq, this.#marks.get(hubId) ?? 0)) return;
    const isTelling = this.#marks.has(hubId);
    this.#marks.set(hubId, seq);
    if (seq >= hub.seq) this.#change(hubId, { readSeq: seq, unreadCount: 0 });
    if (!isTelling) await this.#tellRead(hubId);
  }

  async #tellRead(hubId: string): Promise<void> {
    try {
      for (let told = 0; told < (this.#marks.get(hubId) ?? 0); ) {
        told = this.#marks.get(hubId) ?? 0;
        const before = this.find(hubId)?.seq;
        const mark = await request<ReadMark>('PUT', path`/hubs/${hubId}/read`, { body: { seq: told } });
        const now = this.find(hubId);
        // What has come since is perhaps not counted in this answer; it is counted here.
        if (now && (now.readSeq ?? 0) <= mark.readSeq) {
          const unreadCount = now.seq === before ? mark.unreadCount : now.unreadCount;
          this.#change(hubId, { readSeq: mark.readSeq, unreadCount });
        }
        await new Promise((resolve) => setTimeout(resolve, MARK_MS));
      }
    } finally {
      this.#marks.delete(hubId);
    }
  }

  /** Tries at once to come back, if there is no connection. */
  reconnect(): void {
    this.#live.wake();
  }

  /** Somebody has signed in again: goes on from where the session ended. */
  async resume(): Promise<void> {
    this.#live.close();
    this.#live = this.#connect();
    for (const hub of this.mine.peek()) if (!this.#following.has(hub.id)) this.#follow(hub);
    await this.load();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#live.close();
  }

  #connect(): Live {
    return connectLive({
      onState: (state) => this.#enter(state),
      onHubsChanged: () => this.#reloadSoon(),
      onWorkspaceChanged: (topics) => {
        for (const listener of this.#newsListeners) listener(topics);
      },
    });
  }

  #enter(state: LiveState): void {
    this.#connection.value = state;
    if (state.status === 'live') {
      if (this.#wasLive) this.#catchingUp.begin(this.#following.keys());
      this.#wasLive = true;
    } else {
      this.#catchingUp.stop();
    }
    if (state.status === 'ended' && state.reason === 'unauthenticated') this.#options.onSignedOut();
  }

  #follow(hub: Hub): void {
    const { items } = this.#options;
    const from = this.#positions.get(hub.id);
    const following = this.#live.follow(hub.id, {
      after: from?.seq ?? hub.seq,
      epoch: from?.epoch,
      onEvent: (received) => {
        // The same frames; the contract knows the types of blocks, too.
        const event = received as EventFrame;
        this.#catchingUp.take(event);
        items.apply(event);
        this.#takeEvent(event);
        for (const listener of this.#listeners) listener(event);
      },
      onReset: async () => {
        await Promise.all([items.resetHub(hub.id), this.load(hub.id)]);
      },
      onCaughtUp: () => this.#catchingUp.done(hub.id),
      onEnd: ({ code }) => this.#ended(hub.id, following, WHY[code]),
    });
    this.#following.set(hub.id, following);
  }

  #ended(hubId: string, { position }: Following, why: LostHub['why'] | undefined): void {
    if (position) this.#positions.set(hubId, position);
    this.#following.delete(hubId);
    if (why) this.#lose(hubId, why);
    if (why !== undefined || this.#connection.peek().status !== 'ended') this.#reloadSoon();
  }

  /** Nothing of it is to be seen any more. */
  #lose(hubId: string, why: LostHub['why']): void {
    const name = this.find(hubId)?.name ?? this.#lost.peek().get(hubId)?.name;
    this.#following.delete(hubId);
    this.#positions.delete(hubId);
    this.#catchingUp.done(hubId);
    if (name !== undefined) this.#lost.value = new Map(this.#lost.peek()).set(hubId, { name, why });
    this.#hubs.value = this.#hubs.peek().filter((hub) => hub.id !== hubId || !hub.isMember);
    this.#options.items.forgetHub(hubId);
  }

  #takeEvent(event: EventFrame): void {
    const { hubId, seq } = event;
    // A list that was loaded meanwhile may have it already.
    const isNews = seq > (this.find(hubId)?.seq ?? 0);
    if (event.event === 'hub.changed') this.#change(hubId, { ...event.data, seq });
    else if (isNews) this.#change(hubId, { seq });
    if (!isNews || !isNewItem(event) || !isThere(event.data) || !this.isUnread(event.data)) return;
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
