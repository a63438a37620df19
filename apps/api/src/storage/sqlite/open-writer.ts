import type { Clock } from '../../platform/ports.ts';
import { type CommitReport, CommitReportBuilder } from '../commit-report.ts';
import { repositoriesOn } from '../repositories.ts';
import { CredentialCache } from './credential-cache.ts';
import type { Db } from './engine/database.ts';
import { type BatchReport, GroupCommit } from './engine/group-commit.ts';
import { SqliteConnection } from './engine/statements.ts';
import { sqliteTransactions, TransactionSession } from './engine/transaction.ts';
import { createPostCounts } from './post-counts.ts';
import { postWrites } from './posts.ts';
import { touchedItemsOn } from './touched-items.ts';

interface WriterOptions {
  botId: string;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Called after each batch, before its results arrive. */
  onBatch: (report: BatchReport, commit: CommitReport) => void;
}

/** Returns the only writer of a database, with what it keeps in memory. */
export function openWriter(db: Db, { botId, clock, onBatch }: WriterOptions) {
  const commitReport = new CommitReportBuilder();
  const counts = createPostCounts(db);
  const credentials = new CredentialCache();
  const posts = postWrites(db, { counts, commitReport, botId, credentials });
  const keysChanged = (keyId?: string) => credentials.invalidate(keyId);
  const commit = new GroupCommit({
    transaction: sqliteTransactions(db, [counts, credentials, posts.state, commitReport]),
    session: new TransactionSession(new SqliteConnection(db), (on) =>
      repositoriesOn(on, commitReport, { indexing: touchedItemsOn(on), counts, keysChanged }),
    ),
    flush: posts.flush,
    clock,
    onBatch: (report) => onBatch(report, commitReport.take()),
  });
  return { commit, posts, counts, credentials };
}
