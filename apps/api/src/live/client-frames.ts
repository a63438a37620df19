import { type ClientFrame, LIMITS } from '@hub/contract';
import { printable } from '../platform/errors.ts';
import type { Clock } from '../platform/ports.ts';
import { oneAtATime } from '../platform/repeat.ts';

const FIELDS = {
  subscribe: ['type', 'hubId', 'after', 'epoch'],
  unsubscribe: ['type', 'hubId'],
  attend: ['type', 'isAttending'],
} as const;

/** Parses a frame from a live client. `problem` says what is wrong and what to change. */
export function readClientFrame(text: string | Buffer): ClientFrame | { problem: string } {
  if (typeof text !== 'string') return { problem: 'A frame must be text that contains one JSON object' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'A frame must be one JSON object, such as {"type":"subscribe","hubId":"hub_…","after":0}' };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { problem: 'A frame must be a JSON object' };
  return readObject(json as Record<string, unknown>);
}

function readObject(json: Record<string, unknown>): ClientFrame | { problem: string } {
  const { type, hubId, after, epoch, isAttending } = json;
  if (type !== 'subscribe' && type !== 'unsubscribe' && type !== 'attend') {
    return { problem: 'type must be subscribe, unsubscribe or attend' };
  }
  const unknown = Object.keys(json).find((name) => !(FIELDS[type] as readonly string[]).includes(name));
  if (unknown !== undefined) {
    return {
      problem: `${printable(unknown, 64)} is not a field of ${type}; its fields are ${FIELDS[type].join(', ')}`,
    };
  }
  if (type === 'attend') {
    return typeof isAttending === 'boolean' ? { type, isAttending } : { problem: 'isAttending must be true or false' };
  }
  if (typeof hubId !== 'string') return { problem: 'hubId must be the id of a Hub' };
  if (type === 'unsubscribe') return { type, hubId };
  if (!isAbsent(after) && !(Number.isSafeInteger(after) && Number(after) >= 0)) {
    return { problem: 'after must be the number of the last event you received: a whole number, 0 or greater' };
  }
  if (!isAbsent(epoch) && typeof epoch !== 'string')
    return { problem: 'epoch must be the string that you received with the number' };
  return {
    type,
    hubId,
    ...(isAbsent(after) ? {} : { after: Number(after) }),
    ...(isAbsent(epoch) ? {} : { epoch: String(epoch) }),
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** As many as two connections that follow all the Hubs they can, so that none is ever too many after a reconnect. */
const FRAME_BURST = 2 * LIMITS.liveSubscriptions;
const FRAMES_PER_SECOND = 200;

/** How many frames each user may send over all connections: a token bucket. */
export class FrameBudget {
  readonly #users = new Map<string, { left: number; at: number }>();

  constructor(private readonly clock: Clock) {}

  /** Counts a frame. Returns false if it is one too many. */
  take(userId: string): boolean {
    const now = this.clock.monotonic();
    const { left, at } = this.#users.get(userId) ?? { left: FRAME_BURST, at: now };
    const full = Math.min(FRAME_BURST, left + ((now - at) / 1_000) * FRAMES_PER_SECOND);
    const isLeft = full >= 1;
    this.#users.set(userId, { left: isLeft ? full - 1 : full, at: now });
    return isLeft;
  }
}

/** How long the queue runs before it yields to requests, posts and replays. */
const TURN_MS = 2;

interface UserQueue {
  tasks: (() => Promise<void>)[];
  next: number;
}

/** Client frames waiting to be handled, round-robin among users: a flood of frames delays only its own sender. */
export class FrameQueue {
  readonly #users = new Map<string, UserQueue>();
  readonly #run = oneAtATime(() => this.#runTasks());

  constructor(private readonly clock: Clock) {}

  /** `task` must not fail. */
  add(userId: string, task: () => Promise<void>): void {
    const queue = this.#users.get(userId);
    if (queue) queue.tasks.push(task);
    else this.#users.set(userId, { tasks: [task], next: 0 });
    void this.#run();
  }

  async #runTasks(): Promise<void> {
    let end = this.clock.monotonic() + TURN_MS;
    for (let task = this.#take(); task; task = this.#take()) {
      await task();
      if (this.clock.monotonic() < end) continue;
      await new Promise((resolve) => setImmediate(resolve));
      end = this.clock.monotonic() + TURN_MS;
    }
  }

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
