import { connectLive, type Following, type Live, type LiveState } from '@hub/client/live';
import type { EventFrame, Hub, HubNotification, Item, UnreadState, WireKind, WorkspaceTopic } from '@hub/contract';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ItemStore } from '../items/item-store.ts';
import { CatchingUp } from './catching-up.ts';
import { HubList } from './hub-list.ts';
import { Listeners } from './listeners.ts';
import { loadHubs } from './load-hubs.ts';
import { type LostHub, whyLost } from './lost-hub.ts';
import { ReadMarks } from './read-marks.ts';
import { isUnreadIn, readAll, withNotified } from './read-state.ts';
import { unreadAfter } from './unread-after.ts';
import { UnreadMentions } from './unread-mentions.ts';

/** `hubs.changed` goes to everybody at once: they should not all ask at once. */
const SOON_MS = 300;
const SPREAD_MS = 700;

export interface HubsOptions {
  items: ItemStore;
  myId: string;
  /** The session is over. `words`: of the server, why. */
  onSignedOut: (text: string) => void;
}

/**
 * The Hubs of whoever is signed in, and the one connection over which they are followed. Every event goes to the items first,
 * so that who hears of it here finds them as they are.
 */
export class Hubs {
  readonly #options: HubsOptions;
  #live: Live;
  readonly #list = new HubList();
  readonly #isLoaded = signal(false);
  /** They could not be loaded at first, so that lists may have been there long before. */
  #isLate = false;
  readonly #connection: Signal<LiveState> = signal<LiveState>({ status: 'connecting' });
  readonly #following = new Map<string, Following>();
  /** Up to which event each Hub was done with when it was followed first, or when its connection ended. */
  readonly #positions = new Map<string, { seq: number; epoch?: string }>();
  readonly #lost = signal<ReadonlyMap<string, LostHub>>(new Map());
  readonly #caughtUp = signal<{ posts: number } | null>(null);
  readonly #catchingUp = new CatchingUp((posts) => {
    this.#caughtUp.value = { posts };
  });
  #wasLive = false;
  readonly #listeners = new Listeners<[EventFrame]>();
  readonly #resetListeners = new Listeners<[hubId: string]>();
  readonly #newsListeners = new Listeners<[readonly WorkspaceTopic[]]>();
  #onNotification: (notification: HubNotification) => void = () => {};
  #hasAttention = false;
  readonly #marks = new ReadMarks({
    find: (hubId) => this.find(hubId),
    change: (hubId, change) => this.#list.change(hubId, change),
    isLive: () => this.#connection.peek().status === 'live',
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Those that one belongs to, by name. */
  readonly mine = this.#list.mine;
  /** What each of them is called. */
  readonly names = this.#list.names;
  /** Of the Hubs that are not muted. */
  readonly unreadCount = this.#list.unreadCount;
  readonly mentions = new UnreadMentions(this.mine);

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
    return this.#list.all;
  }

  find(hubId: string): Hub | undefined {
    return this.#list.find(hubId);
  }

  /** Loads the list, follows who is new in it and leaves who is not in it any more. Of `resetId` nothing counts that was known. */
  async load(resetId?: string): Promise<void> {
    const isFirst = !this.#isLoaded.peek();
    const former = this.all.peek();
    const hubs = await loadHubs().catch((error: unknown) => {
      this.#isLate ||= isFirst;
      throw error;
    });
    this.#list.take(hubs, { former, resetId });
    if (this.#list.isDoubtful) this.#reloadSoon();
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
    // What was in them before belongs into the lists, too.
    await this.#options.items.resetHubs(added.map(({ id }) => id));
  }

  /** Calls `listener` with every event of every Hub, after the items have taken it. The result ends that. */
  onEvent(listener: (event: EventFrame) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Calls `listener` when a Hub was loaded anew, since what was missed could not be told event by event. The result ends that. */
  onReset(listener: (hubId: string) => void): () => void {
    return this.#resetListeners.add(listener);
  }

  /** Calls `listener` when lists of the workspace show something else than before. The result ends that. */
  onWorkspaceChanged(listener: (topics: readonly WorkspaceTopic[]) => void): () => void {
    return this.#newsListeners.add(listener);
  }

  /** Calls `listener`, in the place of the former one, with what the server wants somebody to be told of. */
  setNotificationListener(listener: (notification: HubNotification) => void): void {
    this.#onNotification = listener;
  }

  /** Shows a Hub as muted, or not: the server has said so. */
  mute(hubId: string, isMuted: boolean): void {
    this.#list.change(hubId, { isMuted });
  }

  /** Tells the server whether somebody looks at this tab: then it gives no notices. */
  attend(hasAttention: boolean): void {
    this.#hasAttention = hasAttention;
    this.#live.attend(hasAttention);
  }

  /** All up to this event has been read, or all of one kind: shown at once, and told to the server once a second at most. */
  async markRead(hubId: string, seq: number, kind?: WireKind): Promise<void> {
    const hub = this.find(hubId);
    const readSeqs = hub?.readSeqs;
    if (!readSeqs) return;
    const kinds = kind ? [kind] : ITEM_KINDS;
    if (kinds.every((each) => seq <= Math.max(readSeqs[each], this.#marks.of(hubId, each)))) return;
    if (seq >= hub.seq) this.#list.change(hubId, readAll(hub, kinds, seq));
    await this.#marks.mark(hubId, seq, kind);
  }

  /** Tries at once to come back, if there is no connection. */
  reconnect(): void {
    this.#live.wake();
  }

  /** Somebody has signed in again: goes on from where the session ended. */
  async resume(): Promise<void> {
    // A connection that was cut has told of no end, and one that has may be loading lists anew: that begins again.
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
    clearTimeout(this.#timer);
    this.#live.close();
  }

  #connect(): Live {
    const live = connectLive({
      onState: (state) => this.#enter(state),
      onHubsChanged: () => this.#reloadSoon(),
      onWorkspaceChanged: (topics) => this.#newsListeners.report(topics),
      onNotification: (notification) => this.#onNotification(notification),
      onUnread: (unread) => this.#takeUnread(unread),
    });
    live.attend(this.#hasAttention);
    return live;
  }

  #enter(state: LiveState): void {
    this.#connection.value = state;
    if (state.status === 'live') {
      this.#marks.goOn();
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
        // The same frames; the contract knows the types of blocks, too.
        const event = received as EventFrame;
        this.#catchingUp.take(event);
        items.apply(event);
        this.#takeEvent(event);
        this.#listeners.report(event);
      },
      onReset: async () => {
        await Promise.all([items.resetHubs([hub.id]), this.load(hub.id)]);
        this.#resetListeners.report(hub.id);
      },
      onCaughtUp: () => this.#catchingUp.done(hub.id),
      onEnd: ({ code }) => this.#ended(hub.id, following, whyLost(code)),
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
    this.#list.leave(hubId);
    this.#options.items.forgetHub(hubId);
  }

  #takeEvent(event: EventFrame): void {
    const { hubId, seq } = event;
    // A list that was loaded meanwhile may have it already.
    if (seq <= (this.find(hubId)?.seq ?? 0)) return;
    this.#list.change(hubId, event.event === 'hub.changed' ? { ...event.data, seq } : { seq });
    const hub = this.find(hubId);
    if (hub) this.#changeOrAsk(hubId, unreadAfter(event, hub, this.#options.myId));
  }

  /** It was read, in this tab or elsewhere, or something is addressed to oneself. */
  #takeUnread(notified: UnreadState): void {
    const hub = this.find(notified.hubId);
    this.#list.change(notified.hubId, { unreadMentionIds: notified.unreadMentionIds });
    if (hub) this.#changeOrAsk(hub.id, withNotified(hub, notified));
  }

  /** Whether others wrote it after the mark of its kind. */
  isUnread(item: Item): boolean {
    return isUnreadIn(this.find(item.hubId), item, this.#options.myId);
  }

  #changeOrAsk(hubId: string, change: Partial<Hub> | 'unknown'): void {
    if (change !== 'unknown') {
      this.#list.change(hubId, change);
      return;
    }
    this.#list.doubt(hubId);
    this.#reloadSoon();
  }

  #reloadSoon(): void {
    clearTimeout(this.#timer);
    const reload = () => {
      // While there is no connection, nobody may be there to answer; every new one asks for the Hubs.
      if (this.#connection.peek().status === 'live') this.load().catch(() => this.#reloadSoon());
    };
    this.#timer = setTimeout(reload, SOON_MS + Math.random() * SPREAD_MS);
  }
}
