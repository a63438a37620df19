import type { EventFrame, ServerFrame } from '@hub/contract';
import { pick, type Random } from './random.ts';
import { WebSocketByHand } from './web-socket.ts';

/** Shorter than the delays that docs/live.md asks of clients, to keep proofs short. */
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [200, 2_000];
/** An outdated number is at most this many events behind. */
const STALE_EVENTS = 40;

/**
 * How a reader resumes: after the last event that it has; after an older one, as a program does that lost its newest
 * records; or with an epoch or a number that requires a `reset`.
 */
export type Resumption = 'exact' | 'stale' | 'foreign';

interface LiveReaderOptions {
  readonly name: string;
  /** A personal access token. */
  readonly token: string;
  readonly hubIds: readonly string[];
  /** The ports of the nodes. After each connection, the next one is used. */
  readonly ports: () => readonly number[];
  readonly resumption?: Resumption;
  readonly random?: Random;
  /** Whether a node may fail to read the log, as without its database; the reader then connects to the next one. */
  readonly mayFail?: boolean;
  /** Whether to collect the ids of new items. */
  readonly keepsIds?: boolean;
  readonly onEvent?: (event: EventFrame) => void;
  /** Reloads a Hub after a `reset`, which is a problem without this. */
  readonly onReset?: (hubId: string, seq: number) => Promise<void>;
}

interface FollowedHub {
  readonly hubId: string;
  /** The number of the next event. */
  next: number;
  /** The last event that was received. */
  position: number;
  epoch?: string;
  /** The newest event when it subscribed. */
  newest: number;
  /** The reply to `subscribe`, until it arrives. */
  awaited?: 'subscribed' | 'reset' | undefined;
}

/**
 * A client written only from docs/live.md: follows Hubs from their first event over any number of connections, and checks
 * that every event arrives once and in order.
 */
export class LiveReader {
  readonly problems: string[] = [];
  /** The ids of the items whose creation has arrived. */
  readonly createdIds = new Set<string>();
  readonly counts = { connections: 0, events: 0, resets: 0, staleStarts: 0, cutsInFrame: 0, closedByServer: 0 };
  /** When the last connection ended, on the monotonic clock. */
  closedAt = Number.NaN;
  readonly #options: LiveReaderOptions;
  readonly #hubs: FollowedHub[];
  readonly #loading = new Set<Promise<void>>();
  #wire: WebSocketByHand | undefined;
  /** The connection that `cut` has ended. */
  #cutWire: WebSocketByHand | undefined;
  #isConnected = false;
  #failures = 0;
  #state: 'reading' | 'about to stall' | 'stalled' | 'stopped' = 'reading';

  constructor(options: LiveReaderOptions) {
    this.#options = options;
    this.#hubs = options.hubIds.map((hubId) => ({ hubId, next: 1, position: 0, newest: 0 }));
    this.#connect();
  }

  get hubIds(): readonly string[] {
    return this.#options.hubIds;
  }

  /** Whether it is connected, follows every Hub and has loaded everything. */
  get isFollowing(): boolean {
    return this.#isConnected && this.#hubs.every(({ awaited }) => !awaited) && this.#loading.size === 0;
  }

  get isStalled(): boolean {
    return this.#state === 'stalled';
  }

  /** Whether all events of a Hub up to this one have arrived. */
  hasAll(hubId: string, seq: number): boolean {
    const { next = 0, position = 0 } = this.#hubs.find((hub) => hub.hubId === hubId) ?? {};
    return next > seq && position >= seq;
  }

  /** Cuts the connection within this many bytes, or at once. */
  cut(withinBytes = 0): void {
    if (withinBytes === 0) {
      this.#cutWire = this.#wire;
      this.#wire?.cut();
    } else this.#wire?.cutAfter(Math.ceil(this.#random() * withinBytes));
  }

  /**
   * Stops reading once it follows its Hubs over a new connection, since the kernel gives several MiB of buffer to a
   * connection that has been read from for a while. It first reads what it missed: the server waits for a reader in the
   * middle of that, and only closes one that gets events as they happen.
   */
  stall(): void {
    this.#state = 'about to stall';
    this.cut();
  }

  comeBack(): void {
    this.#state = 'reading';
    this.#wire?.resume();
  }

  stop(): void {
    this.#state = 'stopped';
    this.cut();
  }

  get #random(): Random {
    return this.#options.random ?? Math.random;
  }

  #connect(): void {
    if (this.#state === 'stopped') return;
    const ports = this.#options.ports();
    const port = ports[this.counts.connections % ports.length] as number;
    this.counts.connections += 1;
    const wire = new WebSocketByHand(
      { port, token: this.#options.token },
      {
        onOpen: () => {
          this.#isConnected = true;
          this.#failures = 0;
          for (const hub of this.#hubs) this.#subscribe(hub);
        },
        onText: (text) => this.#take(text),
        onClose: (code, problem) => this.#closed(wire, code, problem),
      },
    );
    this.#wire = wire;
  }

  #closed(wire: WebSocketByHand, code: number, problem?: string): void {
    this.closedAt = performance.now();
    this.#isConnected = false;
    if (this.#state === 'stopped') return;
    if (wire.isCut && wire.isInFrame) this.counts.cutsInFrame += 1;
    if (!wire.isCut && wire !== this.#cutWire) this.counts.closedByServer += 1;
    if (problem || code === 4401) this.#problem(problem ?? 'the server says that the token has ended');
    const waitMs = this.#random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    setTimeout(async () => {
      await Promise.all(this.#loading);
      this.#connect();
    }, waitMs);
  }

  #subscribe(hub: FollowedHub): void {
    const { hubId, position, epoch } = hub;
    const { resumption = 'exact' } = this.#options;
    const isForeign = resumption === 'foreign' && epoch !== undefined;
    hub.awaited = isForeign ? 'reset' : 'subscribed';
    if (isForeign) {
      const wrong = pick(this.#random, [
        { after: position, epoch: 'epo_of_another_time' },
        { after: position + 1_000_000, epoch },
      ]);
      this.#wire?.send(JSON.stringify({ type: 'subscribe', hubId, ...wrong }));
      return;
    }
    const behind = resumption === 'stale' ? Math.floor(this.#random() * STALE_EVENTS) : 0;
    const after = Math.max(0, position - behind);
    if (after < position) this.counts.staleStarts += 1;
    hub.next = after + 1;
    this.#wire?.send(JSON.stringify({ type: 'subscribe', hubId, after, epoch }));
  }

  #take(text: string): void {
    const frame = readFrame(text);
    if (frame.type === 'error') {
      if (this.#options.mayFail) this.cut();
      else this.#problem(text.slice(0, 300));
    } else if (frame.type === 'event' || frame.type === 'subscribed' || frame.type === 'reset') {
      const hub = this.#hubs.find(({ hubId }) => hubId === frame.hubId);
      if (!hub) this.#problem(`${frame.type} of a Hub that it does not follow`);
      else if (frame.type === 'event') this.#happened(hub, frame);
      else this.#replied(hub, frame);
    }
  }

  #replied(hub: FollowedHub, { type, seq, epoch }: { type: string; seq: number; epoch: string }): void {
    if (type !== hub.awaited) this.#problem(`${type} came, and ${hub.awaited ?? 'nothing'} was awaited`);
    hub.awaited = undefined;
    hub.epoch = epoch;
    hub.newest = seq;
    if (type === 'reset') this.#reset(hub, seq);
    this.#stallIfCaughtUp();
  }

  #stallIfCaughtUp(): void {
    const isCaughtUp = this.isFollowing && this.#hubs.every(({ position, newest }) => position >= newest);
    if (this.#state !== 'about to stall' || !isCaughtUp) return;
    this.#state = 'stalled';
    this.#wire?.pause();
  }

  #reset(hub: FollowedHub, seq: number): void {
    this.counts.resets += 1;
    hub.next = seq + 1;
    hub.position = seq;
    const { onReset } = this.#options;
    if (!onReset) {
      this.#problem(`reset to ${seq}`);
      return;
    }
    const loading = onReset(hub.hubId, seq).finally(() => this.#loading.delete(loading));
    this.#loading.add(loading);
  }

  #happened(hub: FollowedHub, event: EventFrame): void {
    this.counts.events += 1;
    const { seq, data } = event;
    if (hub.awaited) this.#problem(`event ${seq} comes before the reply to subscribe`);
    if (seq > hub.next) this.#problem(`missed: event ${seq} came after ${hub.next - 1}`);
    if (seq < hub.next) this.#problem(`twice: event ${seq} came after ${hub.next - 1}`);
    hub.next = seq + 1;
    const isNew = seq > hub.position;
    if (isNew && event.event.endsWith('.created') && 'createdAt' in data && this.#options.keepsIds !== false) {
      if (this.createdIds.has(data.id)) this.#problem(`twice: ${data.id} was created again by event ${seq}`);
      this.createdIds.add(data.id);
    }
    hub.position = Math.max(hub.position, seq);
    this.#options.onEvent?.(event);
    this.#stallIfCaughtUp();
  }

  #problem(what: string): void {
    if (this.problems.length < 100) this.problems.push(`${this.#options.name}: ${what}`);
  }
}

/** Longer frames are not shared, since few readers receive them. */
const [SHARED_FRAMES, SHARED_CHARACTERS] = [8_000, 8_000];
const shared = new Map<string, ServerFrame>();

/**
 * Parses a frame. A thousand readers in one process receive the same text a thousand times. They share the parsed
 * object, which nobody changes.
 */
function readFrame(text: string): ServerFrame {
  const parsed = shared.get(text) ?? (JSON.parse(text) as ServerFrame);
  if (shared.size >= SHARED_FRAMES) shared.clear();
  if (text.length <= SHARED_CHARACTERS) shared.set(text, parsed);
  return parsed;
}
