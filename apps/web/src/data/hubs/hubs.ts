import type { Following, LiveState } from '@hub/client/live';
import { LiveConnection } from '@hub/client/live/connection';
import type { EventFrame, Hub, HubNotification, Item, UnreadState, WireKind, WorkspaceTopic } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { JitteredDebounce } from '../../lib/jittered-debounce.ts';
import { dropEarly } from '../early-requests.ts';
import type { ItemStore } from '../items/item-store.ts';
import { allPages } from '../request.ts';
import { CatchingUp, HubList, type LostHub, lostReason } from './hub-list.ts';
import { isOwn, isUnreadIn, mayBeNew, ReadMarks, unreadAfter, withUnreadState } from './read-state.ts';
import { UnreadMentions } from './unread-mentions.ts';

/** `hubs.changed` reaches all clients at the same time. */
const SOON_MS = 300;

interface HubsOptions {
  items: ItemStore;
  myId: string;
  /** Called when the session has ended. `text`: the reason from the server. */
  onSignedOut: (text: string) => void;
}

/** The user's Hubs, and the connection for their events, which update the items before listeners run. */
export class Hubs {
  readonly #options: HubsOptions;
  #live: LiveConnection;
  readonly #list = new HubList();
  readonly #isLoaded = signal(false);
  /** Whether the first load failed. Other lists may then have been loaded long before this one. */
  #isLate = false;
  /** Counts the requests for the list. */
  #asked = 0;
  /** The latest one whose response was taken. */
  #taken = 0;
  /** The Hubs whose known state a response to this or a later request discards. */
  readonly #resets = new Map<string, number>();
  readonly #connection: Signal<LiveState> = signal<LiveState>({ status: 'connecting' });
  readonly #following = new Map<string, Following>();
  /** The last event processed for each Hub when it was first followed or its subscription ended. */
  readonly #positions = new Map<string, { seq: number; epoch?: string }>();
  readonly #lost = signal<ReadonlyMap<string, LostHub>>(new Map());
  readonly #caughtUp = signal<{ posts: number } | null>(null);
  readonly #catchingUp = new CatchingUp((posts) => {
    this.#caughtUp.value = { posts };
  });
  #wasLive = false;
  readonly #listeners = new Listeners<[EventFrame]>();
  readonly #resetListeners = new Listeners<[hubId: string]>();
  readonly #liveListeners = new Listeners<[]>();
  readonly #newsListeners = new Listeners<[readonly WorkspaceTopic[]]>();
  #onNotification: (notification: HubNotification) => void = () => {};
  #hasAttention = false;
  readonly #marks = new ReadMarks({
    find: (hubId) => this.find(hubId),
    change: (hubId, change) => this.#list.change(hubId, change),
    isLive: () => this.#connection.peek().status === 'live',
  });
  readonly #reload = new JitteredDebounce(SOON_MS, () => {
    // Without a connection, the server may be down. Every new connection reloads the Hubs anyway.
    if (this.#connection.peek().status === 'live') this.load().catch(() => this.#reload.schedule());
  });

  readonly connection: ReadonlySignal<LiveState> = this.#connection;
  readonly isLoaded: ReadonlySignal<boolean> = this.#isLoaded;
  /** Hubs that were listed but are now gone. */
  readonly lost: ReadonlySignal<ReadonlyMap<string, LostHub>> = this.#lost;
  /** Set each time all events that were missed while disconnected have arrived. */
  readonly caughtUp: ReadonlySignal<{ posts: number } | null> = this.#caughtUp;
  /** Every listed Hub, including those that an admin manages but is not a member of. */
  readonly all = this.#list.all;
  readonly mine = this.#list.mine;
  readonly names = this.#list.names;
  readonly unreadCount = this.#list.unreadCount;
  readonly mentions = new UnreadMentions(this.mine);

  // Each adds a listener and returns the function that removes it.
  /** For every event of every Hub, after the items are updated. */
  readonly onEvent = this.#listeners.add;
  /** For Hubs that were reloaded because missed events are gone. */
  readonly onReset = this.#resetListeners.add;
  /** For each time the connection is established. */
  readonly onLive = this.#liveListeners.add;
  readonly onWorkspaceChanged = this.#newsListeners.add;

  constructor(options: HubsOptions) {
    this.#options = options;
    this.#live = this.#connect();
  }

  find(hubId: string): Hub | undefined {
    return this.#list.find(hubId);
  }

  /** Loads the list, follows new Hubs and drops missing ones. The known state of `resetId` is discarded. */
  async load(resetId?: string): Promise<void> {
    const isFirst = !this.#isLoaded.peek();
    const former = this.all.peek();
    this.#asked += 1;
    const load = this.#asked;
    if (resetId !== undefined) this.#resets.set(resetId, load);
    const hubs = await allPages('GET /hubs', {}).catch((error: unknown) => {
      this.#isLate ||= isFirst;
      throw error;
    });
    // A response that was overtaken by that of a later request may lack new Hubs.
    if (load < this.#taken) return;
    this.#taken = load;
    const resetIds = new Set([...this.#resets].filter(([, from]) => from <= load).map(([id]) => id));
    for (const id of resetIds) this.#resets.delete(id);
    this.#list.take(hubs, { former, resetIds });
    if (this.#list.isDoubtful) this.#reload.schedule();
    this.#isLoaded.value = true;
    const mine = new Map(this.mine.value.map((hub) => [hub.id, hub]));
    for (const [id, following] of this.#following) {
      if (mine.has(id)) continue;
      following.stop();
      this.#lose(id, 'gone');
    }
    const added = [...mine.values()].filter(({ id }) => !this.#following.has(id));
    for (const hub of added) this.#follow(hub);
    if (isFirst && !this.#isLate) {
      for (const { id, seq } of added) this.#options.items.followFrom(id, seq);
      return;
    }
    if (added.length === 0) return;
    this.#lost.value = new Map([...this.#lost.peek()].filter(([id]) => !mine.has(id)));
    // The item lists also need the earlier items of the added Hubs.
    await this.#options.items.resetHubs(added.map(({ id }) => id));
  }

  /** Sets the listener for notifications from the server, replacing the previous one. */
  setNotificationListener(listener: (notification: HubNotification) => void): void {
    this.#onNotification = listener;
  }

  /** Shows a Hub as muted or as a favorite, or no longer, once the server has confirmed it. */
  change(hubId: string, change: Partial<Pick<Hub, 'isMuted' | 'isFavorite'>>): void {
    this.#list.change(hubId, change);
  }

  /** Tells the server whether this tab has attention; if so, it sends no notifications. */
  attend(hasAttention: boolean): void {
    this.#hasAttention = hasAttention;
    this.#live.attend(hasAttention);
  }

  /** Marks items of one kind, or of all, as read up to an event. Shown immediately, but sent at most once a second. */
  markRead(hubId: string, seq: number, kind?: WireKind): Promise<void> {
    return this.#marks.markRead(hubId, seq, kind);
  }

  /** Marks the items of a kind, by default messages, after an event as unread. @throws as `request` does. */
  markUnread(hubId: string, seq: number, kind?: WireKind, mentionIds?: readonly string[]): Promise<void> {
    return this.#marks.markUnread(hubId, seq, kind, mentionIds);
  }

  reconnect(): void {
    this.#live.wake();
  }

  /** Continues where the session ended, after signing in again. */
  async resume(): Promise<void> {
    // Stops subscriptions that have not ended yet. If lists are being reloaded for ended ones, the reload starts over.
    for (const [id, following] of this.#following) {
      if (following.position) this.#positions.set(id, following.position);
      following.stop();
    }
    this.#following.clear();
    this.#live.close();
    this.#live = this.#connect();
    for (const hub of this.mine.peek()) this.#follow(hub);
    await this.load();
  }

  close(): void {
    this.#reload.cancel();
    this.#live.close();
  }

  #connect(): LiveConnection {
    const live = new LiveConnection({
      onState: (state) => this.#enter(state),
      onHubsChanged: () => this.#reload.schedule(),
      onWorkspaceChanged: (topics) => this.#newsListeners.report(topics),
      onNotification: (notification) => this.#onNotification(notification),
      onUnread: (unread) => this.#applyUnread(unread),
    });
    live.attend(this.#hasAttention);
    return live;
  }

  #enter(state: LiveState): void {
    const wasLive = this.#connection.peek().status === 'live';
    this.#connection.value = state;
    if (state.status === 'live') {
      dropEarly();
      if (!wasLive) this.#liveListeners.report();
      this.#marks.retry();
      if (this.#wasLive) this.#catchingUp.begin(this.#following.keys());
      this.#wasLive = true;
    } else {
      this.#catchingUp.stop();
    }
    if (state.status === 'ended' && state.reason === 'unauthenticated') this.#options.onSignedOut(state.message);
  }

  #follow(hub: Hub): void {
    const { items } = this.#options;
    const from = this.#positions.get(hub.id) ?? { seq: hub.seq };
    this.#positions.set(hub.id, from);
    const following = this.#live.follow(hub.id, {
      after: from.seq,
      epoch: from.epoch,
      onEvent: (received) => {
        // The frames are the same, but the contract's type also describes the blocks.
        const event = received as EventFrame;
        if (!isOwn(event, this.#options.myId)) this.#catchingUp.take(event);
        items.apply(event);
        this.#takeEvent(event);
        this.#listeners.report(event);
      },
      onReset: async () => {
        await Promise.all([items.resetHubs([hub.id]), this.load(hub.id)]);
        this.#resetListeners.report(hub.id);
      },
      onCaughtUp: () => this.#catchingUp.done(hub.id),
      onEnd: ({ code }) => this.#ended(hub.id, following, lostReason(code)),
    });
    this.#following.set(hub.id, following);
  }

  #ended(hubId: string, { position }: Following, why: LostHub['why'] | undefined): void {
    if (position) this.#positions.set(hubId, position);
    this.#following.delete(hubId);
    if (why) this.#lose(hubId, why);
    if (why !== undefined || this.#connection.peek().status !== 'ended') this.#reload.schedule();
  }

  #lose(hubId: string, why: LostHub['why']): void {
    const name = this.find(hubId)?.name ?? this.#lost.peek().get(hubId)?.name;
    this.#following.delete(hubId);
    this.#positions.delete(hubId);
    this.#catchingUp.done(hubId);
    if (name !== undefined) this.#lost.value = new Map(this.#lost.peek()).set(hubId, { name, why });
    this.#list.leave(hubId);
    this.#options.items.forgetHub(hubId);
  }

  #takeEvent(event: EventFrame): void {
    const { hubId, seq } = event;
    // A list loaded in the meantime may already reflect this event.
    if (seq <= (this.find(hubId)?.seq ?? 0)) return;
    this.#list.change(hubId, event.event === 'hub.changed' ? { ...event.data, seq } : { seq });
    const hub = this.find(hubId);
    if (hub) this.#changeOrAsk(hubId, unreadAfter(event, hub, this.#options.myId));
  }

  /** Applies an unread state: items were read in some tab, or a mention arrived. */
  #applyUnread(update: UnreadState): void {
    const hub = this.find(update.hubId);
    const { isFavorite, mutedKeyIds, unreadMentionIds } = update;
    this.#list.change(update.hubId, { isFavorite, mutedKeyIds, unreadMentionIds });
    if (hub) this.#changeOrAsk(hub.id, withUnreadState(hub, update));
  }

  isUnread(item: Item): boolean {
    return isUnreadIn(this.find(item.hubId), item, this.#options.myId);
  }

  readonly mayBeNew = (item: Item): boolean => mayBeNew(this.find(item.hubId), item, this.#options.myId);

  #changeOrAsk(hubId: string, change: Partial<Hub> | 'unknown'): void {
    if (change !== 'unknown') {
      this.#list.change(hubId, change);
      return;
    }
    this.#list.doubt(hubId);
    this.#reload.schedule();
  }
}

class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();

  readonly add = (listener: (...args: Args) => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  report(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }
}
