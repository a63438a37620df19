import type { EventFrame } from '@hub/contract';
import { isItem, readFrame, WebSocketByHand } from '@hub/testkit';

const COME_BACK_MS = 500;

/** The shared records of all followers. */
export interface FollowerRecords {
  frames: number;
  /** The number of connections that ended unexpectedly. */
  lostConnections: number;
  readonly problems: string[];
}

interface FollowerOptions {
  readonly name: string;
  readonly port: number;
  readonly token: string;
  readonly hubId: string;
  readonly records: FollowerRecords;
  /** Whether this follower records new items from its events; one follower per Hub does. */
  readonly keepsItems: boolean;
}

/** Follows a Hub from its first event, and checks that each event arrives once and in order. */
export class Follower {
  readonly hubId: string;
  readonly createdIds = new Set<string>();
  readonly #options: FollowerOptions;
  #wire: WebSocketByHand | undefined;
  #seq = 0;
  #isStopped = false;
  #isFollowing = false;

  constructor(options: FollowerOptions) {
    this.hubId = options.hubId;
    this.#options = options;
    this.#connect();
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** The newest event that it received. */
  get seq(): number {
    return this.#seq;
  }

  stop(): void {
    this.#isStopped = true;
    this.#wire?.cut();
  }

  #connect(): void {
    const { port, token, records } = this.#options;
    const wire = new WebSocketByHand(
      { port, token },
      {
        onOpen: () => wire.send(JSON.stringify({ type: 'subscribe', hubId: this.hubId, after: this.#seq })),
        onText: (text) => this.#take(text),
        onClose: (code, problem) => {
          this.#isFollowing = false;
          if (this.#isStopped) return;
          records.lostConnections += 1;
          this.#problem(`its connection ended with ${code} ${problem ?? ''}`);
          setTimeout(() => this.#connect(), COME_BACK_MS);
        },
      },
    );
    this.#wire = wire;
  }

  #take(text: string): void {
    const frame = readFrame(text);
    if (frame.type === 'event') this.#happened(frame);
    else if (frame.type === 'subscribed') this.#isFollowing = true;
    else if (!['hubs.changed', 'workspace.changed', 'notification'].includes(frame.type))
      this.#problem(`it received ${text.slice(0, 200)}`);
  }

  #happened({ hubId, seq, event, data }: EventFrame): void {
    const { records, keepsItems } = this.#options;
    records.frames += 1;
    if (hubId !== this.hubId || seq !== this.#seq + 1)
      this.#problem(`event ${seq} of ${hubId} came after ${this.#seq}`);
    this.#seq = seq;
    if (!keepsItems || !event.endsWith('.created') || !isItem(data)) return;
    if (this.createdIds.has(data.id)) this.#problem(`${data.id} was created twice`);
    this.createdIds.add(data.id);
  }

  #problem(what: string): void {
    if (this.#options.records.problems.length < 100)
      this.#options.records.problems.push(`${this.#options.name}: ${what}`);
  }
}
