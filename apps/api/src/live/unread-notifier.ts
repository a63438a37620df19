import { LIMITS, type UnreadState } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { readState } from '../hubs/mark-read.ts';
import type { CommitReport, UnreadChange } from '../storage/commit-report.ts';
import type { LiveServer } from './live-server.ts';

/** How many times to count before sending slightly outdated counts. In a busy Hub, the next change sends newer ones. */
const MAX_TRIES = 3;

interface UnreadNotifierDeps extends Pick<Deps, 'store' | 'log'> {
  live: Pick<LiveServer, 'report' | 'hasPage'>;
}

/** Sends a user's unread counts to all of their pages when they have read a Hub or a new item concerns them. */
export class UnreadNotifier {
  readonly #deps: UnreadNotifierDeps;

  constructor(deps: UnreadNotifierDeps) {
    this.#deps = deps;
  }

  /** Called after each commit, once its events are published. */
  committed({ unreadChanges }: CommitReport): void {
    for (const change of unreadChanges) if (this.#deps.live.hasPage(change.personId)) void this.#report(change);
  }

  async #report(change: UnreadChange): Promise<void> {
    const { live, log } = this.#deps;
    try {
      const unread = await this.#read(change);
      if (unread) live.report(change.personId, { type: 'unread', ...unread });
    } catch (err) {
      // A page that missed the frame gets the counts when it next loads the Hubs.
      log.error({ err }, 'Failed to send unread counts');
    }
  }

  /**
   * Counts are sent with the number of the last counted event. If another event arrives in the meantime, they are read
   * again.
   */
  async #read({ personId, hubId }: UnreadChange, triesLeft = MAX_TRIES): Promise<UnreadState | null> {
    const { store } = this.#deps;
    const [hub, membership] = [await store.hubs.find(hubId), await store.memberships.find(hubId, personId)];
    // A user who has left the Hub gets nothing.
    if (!hub || !membership) return null;
    const state = await readState({ store }, membership);
    const unreadMentionIds = await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount });
    const isOld = (await store.hubs.find(hubId))?.seq !== hub.seq;
    if (isOld && triesLeft > 1) return this.#read({ personId, hubId }, triesLeft - 1);
    return { hubId, seq: hub.seq, ...state, unreadMentionIds };
  }
}
