import type { CommitReportBuilder } from '../commit-report.ts';
import type { Connection } from '../engine/connection.ts';
import { type Repositories, repositoriesOn } from '../repositories.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { PostCounts } from './post-counts.ts';
import { touchedItemsOn } from './touched-items.ts';

interface MemoryState {
  counts: PostCounts;
  commitReport: CommitReportBuilder;
  credentials: CredentialCache;
}

/** Returns the repositories of a transaction, which keep what is in memory in step. */
export function sqliteRepositories(on: Connection, { counts, commitReport, credentials }: MemoryState): Repositories {
  const { hubs, keys, ...others } = repositoriesOn(on, commitReport, {
    indexing: touchedItemsOn(on),
    unsavedOf: counts.unsaved,
    savePostCounts: () => counts.save(on, new Map()),
  });
  return {
    ...others,
    hubs: {
      ...hubs,
      update: (hubId, changes) => {
        // The keys of a deleted Hub are not accepted.
        if (changes.deletedAt !== undefined) credentials.invalidate();
        return hubs.update(hubId, changes);
      },
    },
    keys: {
      ...keys,
      update: (keyId, changes) => {
        credentials.invalidate(keyId);
        return keys.update(keyId, changes);
      },
      addUsage: (tallies) => counts.save(on, tallies),
    },
  };
}
