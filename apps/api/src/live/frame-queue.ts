import type { Clock } from '../ports.ts';

/** So long at a stretch; then requests, posts and replays have their turn. */
const TURN_MS = 2;

interface QueueLane {
  tasks: (() => Promise<void>)[];
  /** The first that is not done. */
  next: number;
}

/**
 * What clients have sent and the server has not worked off, one frame after the other: those of a connection in the order in
 * which they came, and of several people in turn. So whoever sends thousands holds up himself alone.
 */
export class FrameQueue {
  readonly #lanes = new Map<string, QueueLane>();
  readonly #clock: Clock;
  #isRunning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `task` does not fail. */
  add(worker: string, task: () => Promise<void>): void {
    const known = this.#lanes.get(worker);
    if (known) known.tasks.push(task);
    else this.#lanes.set(worker, { tasks: [task], next: 0 });
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

  /** The next task of the lane that has waited longest. */
  #take(): (() => Promise<void>) | undefined {
    const [first] = this.#lanes;
    if (!first) return undefined;
    const [name, worker] = first;
    const task = worker.tasks[worker.next];
    worker.next += 1;
    this.#lanes.delete(name);
    if (worker.next < worker.tasks.length) this.#lanes.set(name, worker);
    return task;
  }
}
