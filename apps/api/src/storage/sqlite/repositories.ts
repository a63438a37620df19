import type { CommitReportBuilder } from '../commit-report.ts';
import type { Connection } from '../engine/connection.ts';
import type { KeyCounting } from '../key-usage.ts';
import { repositoriesOn } from '../repositories.ts';
import type { CredentialCache } from './credential-cache.ts';
import { touchedItemsOn } from './touched-items.ts';

interface MemoryState {
  counts: KeyCounting;
  commitReport: CommitReportBuilder;
  credentials: CredentialCache;
}

/** Returns the repositories of a transaction, which keep what is in memory in step. */
export function sqliteRepositories(on: Connection, { counts, commitReport, credentials }: MemoryState) {
  const keysChanged = (keyId?: string) => credentials.invalidate(keyId);
  return repositoriesOn(on, commitReport, { indexing: touchedItemsOn(on), counts, keysChanged });
}
