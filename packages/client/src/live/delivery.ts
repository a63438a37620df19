import { backoffMs } from './backoff.ts';
import type { RuntimeEnvironment } from './environment.ts';
import type { EventFrame } from './frames.ts';
import type { FollowEnd, FollowOptions, Position } from './options.ts';

type Task =
  | { kind: 'event'; event: EventFrame; characters: number }
  | { kind: 'reset'; position: Position }
  | { kind: 'caughtUp'; position: Position }
  | { kind: 'end'; end: FollowEnd };

/** Characters of events that may wait, however few events they are. */
const CHARACTERS_LIMIT = 4 * 1024 * 1024;

interface DeliveryDeps {
  environment: RuntimeEnvironment;
  /** After the queue was full: there is room for more. */
  onRoom: () => void;
  onError: (error: unknown) => void;
}

/**
 * What has come of one Hub, on its way to who follows it: one thing after the other, each only when the one before it is
 * done. It keeps the position: the last event that is done with.
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
  /** What is being done; the position is its to set, unless it was set to another place meanwhile. */
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

  /** More would be more than may wait. What is pushed all the same is kept. */
  get isFull(): boolean {
    const isFull = this.#events >= this.#queueLimit || this.#characters >= CHARACTERS_LIMIT;
    this.#wasFull ||= isFull;
    return isFull;
  }

  /** Starts at this place, with nothing waiting. */
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

  /** Passes over the events up to this one; false if that is no place ahead in the same run of numbers. */
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

  /** What is done at once is done with at once; the rest of the queue waits for a promise only. */
  #work(): void {
    while (this.#current === undefined) {
      const task = this.#queue.shift();
      if (task === undefined) return;
      if (task.kind === 'event') this.#left(task.characters);
      if (task.kind === 'event' && this.#isPassed(task.event.seq)) continue;
      this.#start(task);
    }
  }

  #left(characters: number): void {
    this.#events -= 1;
    this.#characters -= characters;
    if (!this.#wasFull || this.#events > this.#queueLimit / 2 || this.#characters > CHARACTERS_LIMIT / 2) return;
    this.#wasFull = false;
    this.#deps.onRoom();
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
    if (task.kind === 'reset') return this.#options.onReset({ ...task.position });
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
    // Unless it was set to a place further on, as whoever has loaded lists does.
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
    // Whoever goes on from this position later is to be told of the reset again.
    if (this.#isStopped) return;
    // Going on would lose what was to be loaded. Mostly the server is not back yet.
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
