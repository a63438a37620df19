import { LIMITS, type ServerFrame } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { CommitReport } from '../store/commit-report.ts';
import type { EventRecord } from '../store/item-store.ts';
import type { CredentialUses } from '../users/credential-use.ts';
import { FrameQueue } from './frame-queue.ts';
import { HubFeed } from './hub-feed.ts';
import { countClose, type LiveCounts, noSums } from './live-counts.ts';
import { eventFrame, frame } from './live-frames.ts';
import { BACKPRESSURE_BYTES, type LiveConnection, LiveSocket, type Subscription } from './live-socket.ts';
import { readClientFrame } from './read-client-frame.ts';
import { ReplayQueue } from './replay-queue.ts';
import { ReplayedFrames } from './replayed-frames.ts';
import { RightsWatch } from './rights-watch.ts';
import { subscribe } from './subscribe.ts';
import { WorkspaceNews } from './workspace-news.ts';

/** Who has said nothing for so long is asked for a sign of life, and cut when none comes within the other time. */
const ASK_AFTER_MS = 25_000;
const CUT_AFTER_MS = 35_000;
/** Longer than both, so that it is ours that count. */
const IDLE_SECONDS = 120;
/** How often those who are connected are looked at for an end that no commit tells of: the expiry of their credential. */
const SWEEP_MS = 500;
/** As many subscriptions as one may have, and some more; who sends faster than we answer does not mean well. */
const PENDING_FRAMES = LIMITS.liveSubscriptions + 1_000;

/** Sends to the subscribers of a topic on every listener. False if somebody who reads too slowly did not get it. */
export type Publish = (topic: string, text: string) => boolean;

type LiveServerOptions = Pick<Deps, 'store' | 'clock' | 'log' | 'credentialUse' | 'revocations'>;

/**
 * Everyone who follows Hubs. Of each commit it is told which Hubs have new events; it reads them from the log and
 * publishes each once, in order, to the topic of its Hub, which Bun fans out.
 */
export class LiveServer {
  readonly #options: LiveServerOptions;
  readonly #sockets = new Set<LiveSocket>();
  readonly #feeds = new Map<string, HubFeed>();
  readonly #frames: FrameQueue;
  readonly #replays: ReplayQueue;
  readonly #replayed = new ReplayedFrames();
  #publish: Publish = () => true;
  readonly #rights: RightsWatch;
  readonly #news: WorkspaceNews;
  #isSweeping = false;
  #isStopped = false;
  readonly #sums = noSums();
  #attended: (personId: string) => void = () => {};

  constructor(options: LiveServerOptions) {
    this.#options = options;
    this.#rights = new RightsWatch(options, {
      sockets: this.#sockets,
      leave: (socket, lost) => this.#leave(socket, lost),
    });
    this.#news = new WorkspaceNews(options, this.#sockets);
    this.#frames = new FrameQueue(options.clock);
    this.#replays = new ReplayQueue(options.clock, {
      onFailure: (socket, err) => {
        options.log.error({ err, requestId: socket.requestId }, 'Events could not be replayed');
        socket.close(1011, 'The server cannot read its disk at the moment. Come back.');
      },
      onReset: () => {
        this.#sums.resets += 1;
      },
      onIdle: () => this.#replayed.clear(),
    });
  }

  /** Bun's handlers, for every listener that takes live connections. */
  readonly websocket: Bun.WebSocketHandler<LiveConnection> = {
    maxPayloadLength: LIMITS.liveFrameBytes,
    backpressureLimit: BACKPRESSURE_BYTES,
    closeOnBackpressureLimit: true,
    // Its own pings stop as long as something is sent, be the line dead or not.
    sendPings: false,
    idleTimeout: IDLE_SECONDS,
    perMessageDeflate: false,
    open: (wire) => {
      const socket = new LiveSocket(wire, wire.data);
      this.#received(socket);
      wire.data.socket = socket;
      this.#sockets.add(socket);
      this.#options.log.info(logFields(socket), 'A live view was opened');
      if (this.#isStopped) socket.close(1001, 'The server is stopping.');
      void this.#sweep();
    },
    message: (wire, text) => {
      const { socket } = wire.data;
      if (!socket) return;
      this.#received(socket);
      if (socket.pendingFrames >= PENDING_FRAMES) return socket.close(1008, 'Too many frames wait for an answer.');
      socket.pendingFrames += 1;
      this.#frames.add(socket.caller.user?.id ?? 'local', async () => {
        socket.pendingFrames -= 1;
        if (!socket.isClosed) await this.#handle(socket, text);
      });
    },
    pong: ({ data: { socket } }) => this.#received(socket),
    ping: ({ data: { socket } }) => this.#received(socket),
    drain: ({ data: { socket } }) => {
      // Who takes what was sent is there.
      this.#received(socket);
      if (!socket) return;
      socket.drained();
      this.#replays.resume(socket);
    },
    close: (wire, code) => {
      const { socket } = wire.data;
      if (!socket) return;
      this.#closed(socket);
      const { isTooSlow } = socket;
      this.#options.log.info({ ...logFields(socket), code, ...(isTooSlow && { isTooSlow }) }, 'A live view was closed');
      countClose(this.#sums, code, isTooSlow);
    },
  };

  start(publish: Publish): void {
    this.#publish = publish;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  connectionsOf(personId: string): LiveSocket[] {
    return [...this.#sockets].filter(({ caller }) => caller.user?.id === personId);
  }

  get counts(): LiveCounts {
    let subscriptions = 0;
    for (const socket of this.#sockets) subscriptions += socket.subscriptions.size;
    return { ...this.#sums, sockets: this.#sockets.size, subscriptions };
  }

  /** How many live views an event of a Hub went out to, at once or by a replay; `null` if it has not gone out yet. */
  reachOf({ hubId, seq }: { hubId: string; seq: number }): number | null {
    const feed = this.#feeds.get(hubId);
    if (!feed) return 0;
    return feed.published >= seq ? feed.followers : null;
  }

  /** Says something to every page of this person, and how many those are. Programs with a token have asked for Hubs alone. */
  report(personId: string, said: Exclude<ServerFrame, { type: 'event' }>): number {
    const pages = this.#pagesOf(personId);
    for (const page of pages) page.send(frame(said));
    return pages.length;
  }

  hasPage(personId: string): boolean {
    return this.#pagesOf(personId).length > 0;
  }

  /** Whether this person looks at a page. */
  isAttended(personId: string): boolean {
    return this.#pagesOf(personId).some((page) => page.hasAttention);
  }

  /** Calls `listener` when somebody begins to look at a page. */
  onAttended(listener: (personId: string) => void): void {
    this.#attended = listener;
  }

  #pagesOf(personId: string): LiveSocket[] {
    return this.connectionsOf(personId).filter(({ caller }) => caller.credential.kind === 'session');
  }

  /** Told of each commit, in order, before its sender has an answer. */
  committed({ hubIds, isRightsChanged, isHubsChanged, workspaceChanges }: CommitReport): void {
    for (const hubId of hubIds) this.#catchUp(hubId);
    if (isRightsChanged) this.#rights.changed(isHubsChanged);
    this.#news.report(workspaceChanges);
  }

  /** Told of a session or token that has ended without a commit. */
  credentialEnded(): void {
    this.#rights.changed(false);
  }

  /** Closes every connection; clients come back to the next server and resume by number. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.close(1001, 'The server is stopping.');
  }

  #received(socket: LiveSocket | undefined): void {
    socket?.received(this.#options.clock.monotonic());
  }

  #catchUp(hubId: string): void {
    const feed = this.#feeds.get(hubId);
    if (!feed) return;
    try {
      this.#sums.publishedEvents += feed.catchUp();
    } catch (err) {
      // What is not published yet goes out with the next commit or sweep: nothing is skipped.
      this.#options.log.error({ err, hubId }, 'Events could not be published');
    }
  }

  async #handle(socket: LiveSocket, text: string | Buffer): Promise<void> {
    const sent = readClientFrame(text);
    if ('problem' in sent) return socket.error('invalid', sent.problem);
    if (sent.type === 'attend') return this.#attend(socket, sent.isAttending);
    const known = socket.subscriptions.get(sent.hubId);
    if (known) this.#leave(socket, known);
    if (sent.type === 'unsubscribe') return;
    if (socket.subscriptions.size >= LIMITS.liveSubscriptions) {
      return socket.error('forbidden', `One connection follows at most ${LIMITS.liveSubscriptions} Hubs.`, sent.hubId);
    }
    try {
      const outcome = await subscribe(this.#options, socket, sent, {
        rights: () => this.#rights.version,
        feed: (hubId, seq) => this.#feed(hubId, seq),
      });
      if (outcome === 'reset') this.#sums.resets += 1;
      const found = typeof outcome === 'object' ? 'replay' : outcome;
      this.#options.log.debug({ ...logFields(socket), hubId: sent.hubId, outcome: found }, 'A live view subscribed');
      if (typeof outcome !== 'object') return;
      this.#sums.replays += 1;
      this.#replays.add(socket, outcome);
    } catch (err) {
      this.#options.log.error({ err, requestId: socket.requestId, hubId: sent.hubId }, 'A subscription failed');
      socket.error('unavailable', 'The server cannot read its disk at the moment. Subscribe again later.', sent.hubId);
    }
  }

  #attend(socket: LiveSocket, hasAttention: boolean): void {
    socket.hasAttention = hasAttention;
    const { user } = socket.caller;
    if (hasAttention && user) this.#attended(user.id);
  }

  /** The feed of a Hub whose newest event is `seq`; all that is committed by now has been published on it. */
  #feed(hubId: string, seq: number): HubFeed {
    const known = this.#feeds.get(hubId);
    if (known) {
      this.#sums.publishedEvents += known.catchUp();
      return known;
    }
    const feed = new HubFeed(hubId, seq, {
      events: this.#options.store.events,
      replayed: this.#replayed,
      publish: (event) => this.#publishEvent(feed, event),
    });
    this.#feeds.set(hubId, feed);
    return feed;
  }

  #publishEvent(feed: HubFeed, event: EventRecord): void {
    const { hubId, seq, itemId } = event;
    const isComplete = this.#publish(feed.topic, eventFrame(event));
    this.#options.log.debug({ hubId, seq, event: event.event, itemId, liveViews: feed.followers }, 'An event went out');
    if (isComplete) return;
    for (const socket of this.#sockets) if (socket.subscriptions.has(hubId)) socket.noteIfTooSlow();
  }

  #leave(socket: LiveSocket, subscription: Subscription): void {
    socket.leave(subscription);
    subscription.feed.followers -= 1;
    if (subscription.feed.followers === 0) this.#feeds.delete(subscription.feed.hubId);
  }

  #closed(socket: LiveSocket): void {
    socket.isClosed = true;
    this.#sockets.delete(socket);
    for (const subscription of [...socket.subscriptions.values()]) this.#leave(socket, subscription);
  }

  /** As long as anybody is connected: ends those whose session or token has expired, and notes that the others are in use. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    while (this.#sockets.size > 0 && !this.#isStopped) {
      await this.#options.clock.sleep(SWEEP_MS);
      const now = this.#options.clock.now();
      for (const socket of [...this.#sockets]) {
        if (socket.mayHaveExpired(now)) await this.#rights.check(socket);
        else noteUse(this.#options.credentialUse, socket);
        socket.ask(this.#options.clock.monotonic(), { askAfterMs: ASK_AFTER_MS, cutAfterMs: CUT_AFTER_MS });
      }
      for (const hubId of this.#feeds.keys()) this.#catchUp(hubId);
      this.#replayed.clear();
    }
    this.#isSweeping = false;
  }
}

function logFields({ requestId, caller: { user, address } }: LiveSocket) {
  return { requestId, personId: user?.id, address };
}

/** Somebody who watches all day uses the session, though no request comes. */
function noteUse(uses: CredentialUses, { caller: { credential, user, address, expiresAt } }: LiveSocket): void {
  if (credential.kind !== 'local' && user) uses.note({ ...credential, user, expiresAt }, address);
}
