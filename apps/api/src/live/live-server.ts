import { LIMITS, type ServerFrame } from '@hub/contract';
import type { CredentialDeps, Deps } from '../access/deps.ts';
import { oneAtATime } from '../platform/repeat.ts';
import type { CommitReport, CommittedPost } from '../storage/commit-report.ts';
import type { EventRecord } from '../storage/events.ts';
import { FrameBudget, FrameQueue, readClientFrame } from './client-frames.ts';
import { HubFeed } from './hub-feed.ts';
import { eventFrame, frame, KnownBot, type Publish, ReplayedFrames } from './live-frames.ts';
import {
  countClose,
  type LiveConnection,
  type LiveCounts,
  LiveSocket,
  presenceOf,
  type Subscription,
  WIRE_SETTINGS,
  zeroTotals,
} from './live-socket.ts';
import { UnreadNotifier, WorkspaceNotifier } from './page-notifiers.ts';
import { RightsWatch } from './rights-watch.ts';
import { ReplayQueue, subscribe } from './subscribe.ts';

/** The dependencies of live views, and of what reports to them. */
export interface LiveDeps extends Deps {
  live: LiveServer;
}

/** How often connections are checked for expired credentials, since no commit reports an expiry. */
const SWEEP_MS = 500;

type LiveServerOptions = Pick<CredentialDeps, 'store' | 'clock' | 'log' | 'credentialUse' | 'revocations'>;

/** All live connections. Commits report which Hubs have new events; the server publishes each once, in order. */
export class LiveServer {
  readonly sockets = new Set<LiveSocket>();
  readonly feeds = new Map<string, HubFeed>();
  readonly #frames: FrameQueue;
  readonly #frameBudget: FrameBudget;
  readonly #replays: ReplayQueue;
  readonly #replayed = new ReplayedFrames();
  #publish: Publish = () => {};
  readonly #rights: RightsWatch;
  readonly #workspaceNotifier: WorkspaceNotifier;
  readonly #unreadNotifier: UnreadNotifier;
  readonly #bot = new KnownBot();
  readonly #sweep = oneAtATime(() => this.#sweepAll());
  isStopped = false;
  readonly #totals = zeroTotals();
  /** Called when `presence` changes, with the user who now looks at a page, if that is the change. */
  onPresence: (attended: string | null) => void = () => {};

  constructor(private readonly options: LiveServerOptions) {
    this.#rights = new RightsWatch(options, {
      sockets: this.sockets,
      leave: (socket, lost) => this.#leave(socket, lost),
    });
    this.#workspaceNotifier = new WorkspaceNotifier(options, this.sockets);
    this.#unreadNotifier = new UnreadNotifier({ ...options, live: this });
    this.#frames = new FrameQueue(options.clock);
    this.#frameBudget = new FrameBudget(options.clock);
    this.#replays = new ReplayQueue(options.clock, {
      onFailure: (socket, err) => {
        options.log.error({ err, requestId: socket.requestId }, 'Failed to replay events');
        socket.close(1011, 'The server cannot read its database at the moment. Reconnect later.');
      },
      onReset: () => {
        this.#totals.resets += 1;
      },
      onIdle: () => this.#replayed.clear(),
    });
  }

  /** Bun's handlers, shared by all listeners that accept live connections. */
  readonly websocket: Bun.WebSocketHandler<LiveConnection> = {
    ...WIRE_SETTINGS,
    open: (wire) => {
      const socket = new LiveSocket(wire, wire.data);
      socket.received(this.options.clock.monotonic());
      wire.data.socket = socket;
      this.sockets.add(socket);
      this.options.log.info(socket.logFields(), 'Live connection opened');
      if (this.isStopped) socket.close(1001, 'The server is stopping.');
      this.onPresence(null);
      // Its session may have ended after the request for the connection was accepted.
      void this.#rights.check(socket);
      void this.#sweep();
    },
    message: (wire, text) => {
      const socket = this.#countFrame(wire);
      if (!socket) return;
      this.#frames.add(socket.caller.user?.id ?? 'local', async () => {
        if (!socket.isClosed) await this.#handle(socket, text);
      });
    },
    pong: (wire) => void this.#countFrame(wire),
    ping: (wire) => void this.#countFrame(wire),
    drain: ({ data: { socket } }) => {
      if (!socket) return;
      // The client is reading, so it is alive.
      socket.received(this.options.clock.monotonic());
      socket.drained();
      this.#replays.resume(socket);
    },
    close: (wire, code) => {
      const { socket } = wire.data;
      if (!socket) return;
      socket.isClosed = true;
      this.sockets.delete(socket);
      this.onPresence(null);
      for (const subscription of [...socket.subscriptions.values()]) this.#leave(socket, subscription);
      const fields = { ...socket.logFields(), code, ...(socket.isTooSlow && { isTooSlow: true }) };
      this.options.log.info(fields, 'Live connection closed');
      countClose(this.#totals, code, socket.isTooSlow);
    },
  };

  start(publish: Publish): void {
    this.#publish = publish;
  }

  connectionsOf(userId: string): LiveSocket[] {
    return [...this.sockets].filter(({ caller }) => caller.user?.id === userId);
  }

  get counts(): LiveCounts {
    const subscriptions = [...this.sockets].reduce((sum, socket) => sum + socket.subscriptions.size, 0);
    return { ...this.#totals, sockets: this.sockets.size, subscriptions };
  }

  /** Returns how many live views got an event in a Hub, directly or by replay; `null` if it is not published yet. */
  reachOf({ hubId, seq }: { hubId: string; seq: number }): number | null {
    const feed = this.feeds.get(hubId);
    if (!feed) return 0;
    return feed.published >= seq ? feed.subscriptions.size : null;
  }

  /** Sends a frame to every open page of this user and returns their number. Clients with a token do not get it. */
  report(userId: string, toSend: Exclude<ServerFrame, { type: 'event' }>): number {
    const pages = this.#pagesOf(userId);
    for (const page of pages) page.send(frame(toSend));
    return pages.length;
  }

  hasPage(userId: string): boolean {
    return this.#pagesOf(userId).length > 0;
  }

  isAttended(userId: string): boolean {
    return this.#pagesOf(userId).some((page) => page.hasAttention);
  }

  get presence() {
    return presenceOf(this.sockets);
  }

  #pagesOf(userId: string): LiveSocket[] {
    return this.connectionsOf(userId).filter(({ caller }) => caller.credential.kind === 'session');
  }

  /** Called after each commit, in order, before the response to the write is sent. */
  committed(report: CommitReport): void {
    const { heads, posts, isRightsChanged, isHubsChanged, workspaceChanges, unreadChanges } = report;
    // The bot may have a new name.
    if (workspaceChanges.some(({ topic }) => topic === 'workspace')) this.#bot.forget();
    if (this.feeds.size > 0) {
      for (const [hubId, seq] of heads) void this.#publishUpTo(hubId, seq, posts);
    }
    if (isRightsChanged) this.#rights.changed(isHubsChanged);
    if (this.sockets.size === 0) return;
    if (workspaceChanges.length > 0) this.#workspaceNotifier.report(workspaceChanges);
    if (unreadChanges.length > 0) this.#unreadNotifier.report(unreadChanges);
  }

  /** Called when a session or token has ended without a commit. */
  credentialEnded(): void {
    this.#rights.changed(false);
  }

  /** Closes every connection. Clients reconnect to the next server and resume by sequence number. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const socket of this.sockets) socket.close(1001, 'The server is stopping.');
  }

  /** Closes every connection, since the server can no longer tell what its users may see. */
  interrupt(): void {
    for (const socket of this.sockets) socket.close(1011, 'The server cannot reach its database. Reconnect later.');
  }

  /** Counts a frame of any kind. Returns its connection, or `null` if the user has sent too many and it is closed. */
  #countFrame({ data: { socket } }: { data: LiveConnection }): LiveSocket | null {
    if (!socket) return null;
    socket.received(this.options.clock.monotonic());
    const userId = socket.caller.user?.id;
    if (userId === undefined || this.#frameBudget.take(userId)) return socket;
    socket.close(1008, 'You have sent too many frames. Wait for half a minute before you reconnect.');
    return null;
  }

  async #publishUpTo(hubId: string, seq: number, posts: readonly CommittedPost[] = []): Promise<void> {
    const feed = this.feeds.get(hubId);
    if (!feed || feed.published >= seq) return;
    try {
      feed.publishPosts(posts);
      await feed.catchUp(seq);
    } catch (err) {
      // Nothing is skipped: the next commit or sweep publishes these events.
      this.options.log.error({ err, hubId }, 'Failed to publish events');
    }
  }

  async #handle(socket: LiveSocket, text: string | Buffer): Promise<void> {
    const input = readClientFrame(text);
    if ('problem' in input) return socket.error('invalid', input.problem);
    if (input.type === 'attend') {
      socket.hasAttention = input.isAttending;
      return this.onPresence((input.isAttending && socket.caller.user?.id) || null);
    }
    const { hubId } = input;
    const former = socket.subscriptions.get(hubId);
    if (former) this.#leave(socket, former);
    if (input.type === 'unsubscribe') return;
    if (socket.subscriptions.size >= LIMITS.liveSubscriptions) {
      return socket.error('forbidden', `A connection can follow at most ${LIMITS.liveSubscriptions} Hubs.`, hubId);
    }
    try {
      const outcome = await subscribe(this.options, socket, input, {
        rightsVersion: () => this.#rights.version,
        catchUp: async (id, seq) => this.feeds.get(id)?.catchUp(seq),
        feed: (id, seq) => this.#feed(id, seq),
      });
      if (outcome === 'reset') this.#totals.resets += 1;
      const fields = { ...socket.logFields(), hubId, outcome: typeof outcome === 'object' ? 'replay' : outcome };
      this.options.log.debug(fields, 'Live connection subscribed');
      if (typeof outcome !== 'object') return;
      this.#totals.replays += 1;
      this.#replays.add(socket, outcome);
    } catch (err) {
      this.options.log.error({ err, requestId: socket.requestId, hubId }, 'Subscription failed');
      const message = 'The server cannot read its database at the moment. Subscribe again later.';
      socket.error('unavailable', message, hubId);
    }
  }

  /** Returns the feed of a Hub whose newest event was `seq` a moment ago; `null` if it has not published this event yet. */
  #feed(hubId: string, seq: number): HubFeed | null {
    const current = this.feeds.get(hubId);
    if (current) return current.published >= seq ? current : null;
    const feed = new HubFeed(hubId, seq, {
      events: this.options.store.events,
      replayed: this.#replayed,
      bot: this.#bot,
      publish: (event) => this.#publishEvent(feed, event),
    });
    this.feeds.set(hubId, feed);
    // No report of a commit since then has reached it.
    void this.#publishUpTo(hubId, Number.POSITIVE_INFINITY);
    return feed;
  }

  #publishEvent(feed: HubFeed, record: EventRecord): void {
    const { hubId, seq, event, itemId } = record;
    // All of its subscriptions ended while it was reading. Its successor has the same topic.
    if (this.feeds.get(hubId) !== feed) return;
    this.#totals.publishedEvents += 1;
    this.#publish(feed.topic, eventFrame(record));
    this.options.log.debug({ hubId, seq, event, itemId, liveViews: feed.subscriptions.size }, 'Event published');
  }

  #leave(socket: LiveSocket, subscription: Subscription): void {
    const { hubId, subscriptions } = subscription.feed;
    if (socket.leave(subscription) && subscriptions.size === 0) this.feeds.delete(hubId);
  }

  /** Runs while anyone is connected. Closes connections with expired credentials; records that the rest are in use. */
  async #sweepAll(): Promise<void> {
    while (this.sockets.size > 0 && !this.isStopped) {
      await this.options.clock.sleep(SWEEP_MS);
      const now = this.options.clock.now();
      for (const socket of [...this.sockets]) {
        if (socket.mayHaveExpired(now)) await this.#rights.check(socket);
        else socket.recordUse(this.options.credentialUse);
        socket.checkAlive(this.options.clock.monotonic());
      }
      await this.#lookForEvents();
      this.#replayed.clear();
    }
  }

  /** Publishes events whose commit was not reported, or that could not be read then. */
  async #lookForEvents(): Promise<void> {
    if (this.feeds.size === 0) return;
    try {
      const heads = await this.options.store.events.heads([...this.feeds.keys()]);
      for (const [hubId, seq] of heads) void this.#publishUpTo(hubId, seq);
    } catch (err) {
      this.options.log.error({ err }, 'Failed to look for events');
    }
  }
}
