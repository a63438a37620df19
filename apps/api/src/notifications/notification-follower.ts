import type { Deps } from '../context/deps.ts';
import type { CommitReport } from '../storage/commit-report.ts';
import { isQuiet } from './quiet-hours.ts';
import { findRecipients, isWanted, type NotificationTrigger } from './recipients.ts';

const READ_EVENTS = 50;
/**
 * How many events per Hub to catch up on after falling behind. Older ones are skipped: they are too old for a
 * notification.
 */
const MAX_BEHIND = 2_000;

interface FollowerDeps extends Pick<Deps, 'store' | 'clock' | 'log'> {
  /** Whether any open page or subscribed browser could show a notification. */
  canReachAnyUser: () => boolean;
  /** Whether this user can be reached now and is not looking at a page. */
  shouldNotify: (personId: string) => Promise<boolean>;
  onTrigger: (personId: string, trigger: NotificationTrigger) => void;
}

/**
 * Reads new events after each commit, once the senders have their responses, and finds the recipients of notifications.
 * It follows the events by number, as the live views do (docs/adr/0008), so commits may be reported late or several at
 * a time.
 */
export class NotificationFollower {
  readonly #deps: FollowerDeps;
  /** The last event read per Hub. Hubs that are not in the map were created after this follower. */
  readonly #seen: Map<string, number>;
  /** Hubs with new events, and the number of their newest. */
  readonly #waiting = new Map<string, number>();
  #isRunning = false;
  #isStopped = false;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#seen = deps.store.events.heads();
  }

  committed({ heads }: CommitReport): void {
    for (const [hubId, seq] of heads) this.#waiting.set(hubId, seq);
    if (this.#waiting.size > 0 && !this.#isRunning && !this.#isStopped) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0 && !this.#isStopped) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#mayReachAnyUser()) {
        for (const [hubId, newest] of this.#waiting) this.#seen.set(hubId, newest);
        this.#waiting.clear();
      }
      for (const [hubId, newest] of this.#waiting) {
        this.#waiting.delete(hubId);
        if (this.#isStopped) break;
        try {
          await this.#follow(hubId, newest);
        } catch (err) {
          // The next commit in this Hub continues from here.
          this.#deps.log.warn({ err, hubId }, 'Failed to resolve notification recipients');
        }
      }
    }
    this.#isRunning = false;
  }

  /** If the disk does not say who is subscribed, the events are followed as usual. */
  #mayReachAnyUser(): boolean {
    try {
      return this.#deps.canReachAnyUser();
    } catch {
      return true;
    }
  }

  async #follow(hubId: string, newest: number): Promise<void> {
    const { store } = this.#deps;
    for (let seen = Math.max(this.#seen.get(hubId) ?? 0, newest - MAX_BEHIND); ; ) {
      const events = store.events.read(hubId, seen, READ_EVENTS);
      for (const event of events) {
        seen = event.seq;
        this.#seen.set(hubId, seen);
        for (const [personId, trigger] of await findRecipients(store, event)) {
          if (await this.#isWanted(personId, trigger)) this.#deps.onTrigger(personId, trigger);
        }
      }
      if (events.length < READ_EVENTS || this.#isStopped) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #isWanted(personId: string, { hubId, keyId, reason }: NotificationTrigger): Promise<boolean> {
    const { store, clock, shouldNotify } = this.#deps;
    if (!(await shouldNotify(personId))) return false;
    const recipient = await store.notifications.recipient({ personId, hubId, keyId });
    const { quietHours } = recipient;
    return isWanted(recipient, reason) && (quietHours === null || !isQuiet(quietHours, clock.now()));
  }
}
