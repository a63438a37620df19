import { LIMITS } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { AddressedChange, CommitReport } from '../store/commit-report.ts';
import type { LiveServer } from './live-server.ts';

interface MentionNewsDeps extends Pick<Deps, 'store' | 'log'> {
  live: Pick<LiveServer, 'tell' | 'hasPage'>;
}

/** Tells the pages of people what is addressed to them and unread, whenever that is not as before. */
export class MentionNews {
  readonly #deps: MentionNewsDeps;

  constructor(deps: MentionNewsDeps) {
    this.#deps = deps;
  }

  /** Told of each commit, when its events have gone out. */
  committed({ addressed }: CommitReport): void {
    for (const change of addressed) if (this.#deps.live.hasPage(change.personId)) void this.#tell(change);
  }

  async #tell({ personId, hubId }: AddressedChange): Promise<void> {
    const { store, live, log } = this.#deps;
    try {
      // Whoever has left the Hub learns nothing of it.
      if ((await store.memberships.find(hubId, personId)) === null) return;
      const unreadIds = await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount });
      live.tell(personId, { type: 'mentions', hubId, unreadIds });
    } catch (err) {
      // A page that was not told finds out when it loads the Hubs again.
      log.error({ err }, 'What is addressed to somebody could not be told');
    }
  }
}
