import { backoffMs } from './backoff.ts';
import type { RuntimeEnvironment } from './environment.ts';
import type { EventFrame } from './frames.ts';
import type { FollowEnd, FollowOptions, Position } from './options.ts';

type Task =
  | { kind: 'event'; event: EventFrame; characters: number }
  | { kind: 'reset'; position: Position }
  | { kind: 'caughtUp'; position: Position }
  | { kind: 'end'; end: FollowEnd };

/** The maximum number of characters of queued events, regardless of the number of events. */
const CHARACTERS_LIMIT = 4 * 1024 * 1024;

interface DeliveryDeps {
  environment: RuntimeEnvironment;
  /** Called when a queue that was full has room again. */
  onDrain: () => void;
  onError: (error: unknown) => void;
}

/**
 * Delivers the events of one Hub to its follower, one at a time, each after the previous one is done. Keeps the
 * position: the last event that is done.
 */
export class Delivery {
  readonly #queue: Task[] = [];
  readonly #options: FollowOptions;
  readonly #deps: DeliveryDeps;
  readonly #queueLimit: number;
  #events = 0;
  #characters = 0;
  #wasFull = false;
  #position: Position | undefined;
  /** The current task. It advances the position when it is done, unless the position was changed in the meantime. */
  #current: Task | undefined;
  #isStale = false;
  #resetFailures = 0;
  #cancelRetry: (() => void) | undefined;
  #isStopped = false;

  constructor(options: FollowOptions, deps: DeliveryDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#queueLimit = options.queueLimit ?? 1_000;
  }

  get position(): Position | undefined {
    return this.#position;
  }

  /** Whether the queue is full. Tasks that are pushed anyway are kept. */
  get isFull(): boolean {
    const isFull = this.#events >= this.#queueLimit || this.#characters >= CHARACTERS_LIMIT;
    this.#wasFull ||= isFull;
    return isFull;
  }

  /** Starts at this position with an empty queue. */
  startAt(position: Position): void {
    this.#queue.length = 0;
    this.#events = 0;
    this.#characters = 0;
    this.#wasFull = false;
    this.#position = position;
    this.#resetFailures = 0;
    this.#isStale = true;
    if (this.#cancelRetry === undefined) return;
    this.#cancelRetry();
    this.#cancelRetry = undefined;
    this.#current = undefined;
  }

  /** Skips the events up to this position; returns false if it is not ahead in the same epoch. */
  skipTo({ seq, epoch }: Position): boolean {
    const from = this.#current?.kind === 'reset' ? this.#current.position : this.#position;
    if (from === undefined || from.epoch !== epoch || seq < from.seq) return false;
    if (this.#position?.epoch !== epoch || seq > this.#position.seq) this.#position = { seq, epoch };
    return true;
  }

  push(task: Task): void {
    if (this.#isStopped) return;
    this.#queue.push(task);
    if (task.kind === 'event') {
      this.#events += 1;
      this.#characters += task.characters;
    }
    this.#work();
  }

  stop(): void {
    this.#isStopped = true;
    this.#queue.length = 0;
    this.#cancelRetry?.();
  }

  /** Runs queued tasks. Synchronous tasks run one after the other; only a promise makes the queue wait. */
  #work(): void {
    while (this.#current === undefined) {
      const task = this.#queue.shift();
      if (task === undefined) return;
      if (task.kind === 'event') this.#dequeued(task.characters);
      if (task.kind === 'event' && this.#isPassed(task.event.seq)) continue;
      this.#start(task);
    }
  }

  #dequeued(characters: number): void {
    this.#events -= 1;
    this.#characters -= characters;
    if (!this.#wasFull || this.#events > this.#queueLimit / 2 || this.#characters > CHARACTERS_LIMIT / 2) return;
    this.#wasFull = false;
    this.#deps.onDrain();
  }

  #isPassed(seq: number): boolean {
    return this.#position !== undefined && seq <= this.#position.seq;
  }

  #start(task: Task): void {
    this.#current = task;
    this.#isStale = false;
    try {
      const result = this.#call(task);
      if (isThenable(result)) this.#await(result, task);
      else this.#finish(task);
    } catch (error) {
      this.#fail(task, error);
    }
  }

  #await(result: PromiseLike<unknown>, task: Task): void {
    result.then(
      () => {
        this.#finish(task);
        this.#work();
      },
      (error: unknown) => {
        this.#fail(task, error);
        this.#work();
      },
    );
  }

  #call(task: Task): unknown {
    if (task.kind === 'event') return this.#options.onEvent(task.event);
    if (task.kind === 'reset') return this.#options.onReset?.({ ...task.position });
    if (task.kind === 'caughtUp') return this.#options.onCaughtUp?.(task.position);
    return this.#options.onEnd?.(task.end);
  }

  #finish(task: Task): void {
    this.#current = undefined;
    if (!this.#isStale) this.#advance(task);
  }

  #advance(task: Task): void {
    if (task.kind === 'event' && this.#position) this.skipTo({ ...this.#position, seq: task.event.seq });
    if (task.kind !== 'reset') return;
    this.#resetFailures = 0;
    // Unless `setPosition` has moved the position further ahead, as happens after lists are loaded.
    if (this.#position?.epoch !== task.position.epoch || this.#position.seq < task.position.seq) {
      this.#position = task.position;
    }
  }

  #fail(task: Task, error: unknown): void {
    if (!this.#isStopped) this.#deps.onError(error);
    if (task.kind !== 'reset' || this.#isStale) {
      this.#finish(task);
      return;
    }
    // Keep the position, so that resuming from it later triggers the reset again.
    if (this.#isStopped) return;
    // Retry, because continuing would lose the data that was to be loaded. Usually the server is just not back up yet.
    const { clock, random } = this.#deps.environment;
    this.#resetFailures += 1;
    this.#cancelRetry = clock.setTimer(backoffMs(this.#resetFailures, random), () => {
      this.#cancelRetry = undefined;
      this.#start(task);
      this.#work();
    });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
