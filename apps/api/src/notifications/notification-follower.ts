import type { Deps } from '../deps.ts';
import type { CommitReport } from '../store/commit-report.ts';
import { type Concern, concernsOf, isWanted } from './concern.ts';
import { isQuiet } from './quiet-hours.ts';

const READ_EVENTS = 50;
/** Further behind, what happened is no news any more: it is passed over. */
const MAX_BEHIND = 2_000;

interface FollowerDeps extends Pick<Deps, 'store' | 'clock' | 'log'> {
  /** Whether there is a page or a browser anywhere that could show a notification. */
  canReachAnybody: () => boolean;
  /** Whether there is any way to this person now, and he does not look anyway. */
  mustBeNotified: (personId: string) => Promise<boolean>;
  onConcern: (personId: string, concern: Concern) => void;
}

/**
 * Reads, after each commit and never before its senders have their answers, what has happened, and finds out whom it concerns.
 * It follows the events by their number, as the live views do (docs/adr/0008), so that word of commits may come late or together.
 */
export class NotificationFollower {
  readonly #deps: FollowerDeps;
  /** Up to which event each Hub was looked at. A Hub that is not in it was made later. */
  readonly #seen: Map<string, number>;
  readonly #waiting = new Set<string>();
  #isRunning = false;
  #isStopped = false;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#seen = deps.store.events.heads();
  }

  committed({ hubIds }: CommitReport): void {
    for (const hubId of hubIds) this.#waiting.add(hubId);
    if (this.#waiting.size > 0 && !this.#isRunning && !this.#isStopped) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0 && !this.#isStopped) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const hubId of this.#waiting) {
        this.#waiting.delete(hubId);
        if (this.#isStopped) break;
        try {
          await this.#follow(hubId);
        } catch (err) {
          // The next commit in this Hub goes on from here.
          this.#deps.log.warn({ err, hubId }, 'Whom the news concerns could not be found out');
        }
      }
    }
    this.#isRunning = false;
  }

  async #follow(hubId: string): Promise<void> {
    const { store } = this.#deps;
    const newest = store.events.span(hubId)?.seq ?? 0;
    if (!this.#deps.canReachAnybody()) {
      this.#seen.set(hubId, newest);
      return;
    }
    for (let seen = Math.max(this.#seen.get(hubId) ?? 0, newest - MAX_BEHIND); ; ) {
      const events = store.events.read(hubId, seen, READ_EVENTS);
      for (const event of events) {
        seen = event.seq;
        this.#seen.set(hubId, seen);
        for (const [personId, concern] of await concernsOf(store, event)) {
          if (await this.#isWanted(personId, concern)) this.#deps.onConcern(personId, concern);
        }
      }
      if (events.length < READ_EVENTS || this.#isStopped) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #isWanted(personId: string, { hubId, keyId, reason }: Concern): Promise<boolean> {
    const { store, clock, mustBeNotified } = this.#deps;
    if (!(await mustBeNotified(personId))) return false;
    const recipient = await store.notifications.recipient({ personId, hubId, keyId });
    const { quietHours } = recipient;
    return isWanted(recipient, reason) && (quietHours === null || !isQuiet(quietHours, clock.now()));
  }
}
