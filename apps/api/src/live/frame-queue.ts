import type { Clock } from '../core/ports.ts';

/** How long the queue runs before it yields to requests, posts and replays. */
const TURN_MS = 2;

interface UserQueue {
  tasks: (() => Promise<void>)[];
  /** The index of the next task. */
  next: number;
}

/**
 * Client frames waiting to be handled, one after the other: in order of arrival for each user, round-robin
 * among users. A user who sends thousands of frames delays only their own frames.
 */
export class FrameQueue {
  readonly #users = new Map<string, UserQueue>();
  readonly #clock: Clock;
  #isRunning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `task` must not fail. */
  add(userId: string, task: () => Promise<void>): void {
    const known = this.#users.get(userId);
    if (known) known.tasks.push(task);
    else this.#users.set(userId, { tasks: [task], next: 0 });
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let end = this.#clock.monotonic() + TURN_MS;
    try {
      for (let task = this.#take(); task; task = this.#take()) {
        await task();
        if (this.#clock.monotonic() < end) continue;
        await new Promise((resolve) => setImmediate(resolve));
        end = this.#clock.monotonic() + TURN_MS;
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Takes the next task of the user whose turn it is. */
  #take(): (() => Promise<void>) | undefined {
    const [first] = this.#users;
    if (!first) return undefined;
    const [userId, queue] = first;
    const task = queue.tasks[queue.next];
    queue.next += 1;
    this.#users.delete(userId);
    if (queue.next < queue.tasks.length) this.#users.set(userId, queue);
    return task;
  }
}
