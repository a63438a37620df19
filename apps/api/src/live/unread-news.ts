import { LIMITS, type UnreadState } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { readStanding } from '../hubs/read-state.ts';
import type { CommitReport, UnreadChange } from '../store/commit-report.ts';
import type { LiveServer } from './live-server.ts';

/** In a Hub in which more comes than can be counted, the next change says it better. */
const MAX_TRIES = 3;

interface UnreadNewsDeps extends Pick<Deps, 'store' | 'log'> {
  live: Pick<LiveServer, 'report' | 'hasPage'>;
}

/** Tells all pages of a person what is unread, when it was read in one of them and when something is addressed to that person. */
export class UnreadNews {
  readonly #deps: UnreadNewsDeps;

  constructor(deps: UnreadNewsDeps) {
    this.#deps = deps;
  }

  /** Told of each commit, when its events have gone out. */
  committed({ unreadChanges }: CommitReport): void {
    for (const change of unreadChanges) if (this.#deps.live.hasPage(change.personId)) void this.#report(change);
  }

  async #report(change: UnreadChange): Promise<void> {
    const { live, log } = this.#deps;
    try {
      const unread = await this.#read(change);
      if (unread) live.report(change.personId, { type: 'unread', ...unread });
    } catch (err) {
      // A page that was not told finds out when it loads the Hubs again.
      log.error({ err }, 'What is unread could not be told');
    }
  }

  /** The counts go with the number of the event up to which they count, so they are read again if one came meanwhile. */
  async #read({ personId, hubId }: UnreadChange, triesLeft = MAX_TRIES): Promise<UnreadState | null> {
    const { store } = this.#deps;
    const [hub, membership] = [await store.hubs.find(hubId), await store.memberships.find(hubId, personId)];
    // Whoever has left the Hub learns nothing of it.
    if (!hub || !membership) return null;
    const state = await readStanding({ store }, membership);
    const unreadMentionIds = await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount });
    const isOld = (await store.hubs.find(hubId))?.seq !== hub.seq;
    if (isOld && triesLeft > 1) return this.#read({ personId, hubId }, triesLeft - 1);
    return { hubId, seq: hub.seq, ...state, unreadMentionIds };
  }
}
