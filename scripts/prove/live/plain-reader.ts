import type { EventFrame } from '@hub/contract';
import { type Random, readFrame, WebSocketByHand } from '@hub/testkit';
import { HubView, type Loaded, type Records } from './hub-view.ts';
import type { Latencies } from './latencies.ts';

/** A reader that follows Hubs for the whole run, over any number of connections. */
export interface Reader {
  readonly name: string;
  readonly views: readonly HubView[];
  /** Whether it is connected and following every Hub, with no list still loading. */
  readonly isFollowing: boolean;
  /** Cuts the connection at a random moment, usually in the middle of a frame. */
  cut(): void;
  stop(): void;
}

export interface ReaderOptions {
  readonly name: string;
  readonly token: string;
  readonly hubIds: readonly string[];
  /** Returns the current port of the server. */
  readonly port: () => number;
  readonly random: Random;
  readonly records: Records;
  readonly latencies: Latencies;
  /** Reloads a Hub through the lists. */
  readonly load: (hubId: string) => Promise<Loaded>;
}

const FIRST_WAIT_MS = 500;
/** Shorter than the delay that docs/live.md asks of clients, to keep the proof short. */
const MAX_WAIT_MS = 2_000;
/** A cut happens within this many bytes (about four events). */
const CUT_WITHIN_BYTES = 3_000;
/** An outdated number is at most this many events behind. */
const STALE_EVENTS = 40;
const UNAUTHENTICATED = 4401;

/**
 * The ways to resume: with the last number; with an older one, as after a crash that lost the newest records; or with
 * one that requires a `reset`, since it is from another epoch or has not been reached yet.
 */
export type Habit = 'exact' | 'stale' | 'foreign';

/** A client written only from docs/live.md. */
export class PlainReader implements Reader {
  readonly name: string;
  readonly views: readonly HubView[];
  readonly #options: ReaderOptions & { habit: Habit };
  #wire: WebSocketByHand | undefined;
  /** The expected reply for each Hub. None of the Hub's events may arrive before it. */
  readonly #awaited = new Map<HubView, 'subscribed' | 'reset'>();
  readonly #loading = new Set<Promise<void>>();
  #failures = 0;
  #isConnected = false;
  #isStalled = false;
  /** Whether the reader has stalled on this connection. If so, the server may close it. */
  #mayBeGivenUp = false;
  /** Called when the server has replied for all Hubs. */
  #onFollowing: (() => void) | undefined;
  #isStopped = false;

  constructor(options: ReaderOptions & { habit: Habit }) {
    this.name = options.name;
    this.#options = options;
    this.views = options.hubIds.map((hubId) => new HubView(hubId, options.records));
    this.#connect();
  }

  get isFollowing(): boolean {
    return this.#isConnected && !this.#isStalled && this.#awaited.size === 0 && this.#loading.size === 0;
  }

  cut(): void {
    this.#wire?.cutAfter(Math.floor(this.#options.random() * CUT_WITHIN_BYTES));
  }

  /**
   * Stops reading, like a program that hangs. Uses a new connection, since the kernel gives several MiB of buffer to a
   * connection that has been read from for a while, and all posts would fit into it.
   */
  async stall(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onFollowing = () => {
      this.#onFollowing = undefined;
      this.#isStalled = true;
      this.#mayBeGivenUp = true;
      this.#wire?.pause();
      resolve();
    };
    this.#wire?.cut();
    await promise;
  }

  comeBack(): void {
    this.#isStalled = false;
    this.#wire?.resume();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wire?.cut();
  }

  #connect(): void {
    if (this.#isStopped) return;
    const { port, token, records } = this.#options;
    records.sums.connections += 1;
    const wire = new WebSocketByHand(
      { port: port(), token },
      {
        onOpen: () => {
          this.#isConnected = true;
          this.#failures = 0;
          for (const view of this.views) this.#subscribe(view);
        },
        onText: (text) => this.#take(text),
        onClose: (code, problem) => this.#closed(wire, code, problem),
      },
    );
    this.#wire = wire;
  }

  #closed(wire: WebSocketByHand, code: number, problem?: string): void {
    const { sums } = this.#options.records;
    this.#isConnected = false;
    this.#awaited.clear();
    if (this.#isStopped) return;
    if (wire.isCut) sums.cuts += 1;
    if (wire.isCut && wire.isInFrame) sums.cutsInFrame += 1;
    if (this.#mayBeGivenUp && !wire.isCut) sums.givenUp += 1;
    this.#mayBeGivenUp = false;
    if (problem) this.#surprise(problem);
    if (code === UNAUTHENTICATED) this.#surprise('the server says that the token has ended');
    const waitMs = this.#options.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    setTimeout(async () => {
      await Promise.all(this.#loading);
      this.#connect();
    }, waitMs);
  }

  #subscribe(view: HubView): void {
    const { hubId, position, epoch } = view;
    const { random, habit, records } = this.#options;
    const isForeign = habit === 'foreign' && epoch !== undefined;
    this.#awaited.set(view, isForeign ? 'reset' : 'subscribed');
    if (isForeign) {
      const wrong =
        random() < 0.5 ? { after: position, epoch: 'epo_of_another_time' } : { after: position + 1_000_000, epoch };
      this.#send({ type: 'subscribe', hubId, ...wrong });
      return;
    }
    const after = habit === 'stale' ? Math.max(0, position - Math.floor(random() * STALE_EVENTS)) : position;
    if (after < position) records.sums.staleStarts += 1;
    view.follows(after);
    this.#send({ type: 'subscribe', hubId, after, ...(epoch === undefined ? {} : { epoch }) });
  }

  #send(frame: object): void {
    this.#wire?.send(JSON.stringify(frame));
  }

  #take(text: string): void {
    const frame = readFrame(text);
    if (frame.type === 'hubs.changed' || frame.type === 'workspace.changed' || frame.type === 'notification') return;
    if (frame.type === 'unread') return;
    const view = this.views.find(({ hubId }) => hubId === frame.hubId);
    if (frame.type === 'error' || !view) this.#surprise(text.slice(0, 300));
    else if (frame.type === 'event') this.#happened(view, frame);
    else this.#responded(view, frame);
  }

  #responded(view: HubView, { type, seq, epoch }: { type: string; seq: number; epoch: string }): void {
    const expected = this.#awaited.get(view);
    this.#awaited.delete(view);
    if (type !== expected) this.#surprise(`${type} came, and ${expected ?? 'nothing'} was to come`);
    if (type === 'reset') this.#reset(view, seq);
    else view.epoch = epoch;
    if (this.#awaited.size === 0) this.#onFollowing?.();
  }

  #happened(view: HubView, event: EventFrame): void {
    if (this.#awaited.has(view)) this.#surprise(`event ${event.seq} comes before the reply to subscribe`);
    view.take(event);
    if (!this.#isStalled) this.#options.latencies.arrived(event);
  }

  #reset(view: HubView, seq: number): void {
    this.#options.records.sums.resets += 1;
    view.reset(seq);
    const loading = this.#options.load(view.hubId).then((loaded) => {
      if (loaded.seq < seq) this.#surprise(`after reset to ${seq} a list reflects ${loaded.seq}`);
      view.loaded(loaded, 'reset');
      this.#loading.delete(loading);
    });
    this.#loading.add(loading);
  }

  #surprise(what: string): void {
    this.#options.records.surprise(`${this.name}: ${what}`);
  }
}
