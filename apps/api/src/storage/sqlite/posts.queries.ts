import { sql } from 'drizzle-orm';
import type { NewPost } from '../store.ts';
import { boundStatement } from './engine/bound-statement.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import type { PostCounts } from './post-counts.ts';
import { items } from './tables/items.table.ts';

/** Each function runs inside a transaction. */
export function postChanges(
  db: Db,
  { counts, commitReport, botId }: { counts: PostCounts; commitReport: CommitReportBuilder; botId: string },
) {
  const insert = boundStatement(
    db,
    db
      .insert(items)
      .values({
        id: sql.placeholder('id'),
        hubId: sql.placeholder('hubId'),
        kind: sql.placeholder('kind'),
        seq: sql.placeholder('seq'),
        createdAt: sql.placeholder('createdAt'),
        authorKind: 'bot',
        authorId: botId,
        keyId: sql.placeholder('keyId'),
        address: sql.placeholder('address'),
        requestId: sql.placeholder('requestId'),
        title: sql.placeholder('title'),
        body: sql.placeholder('body'),
        blocks: sql.placeholder('blocks'),
        dueAt: sql.placeholder('dueAt'),
        priority: sql.placeholder('priority'),
        status: sql.placeholder('status'),
      })
      .returning({ rank: items.rank }),
  );
  return {
    insertPost: (post: NewPost & { seq: number }): number => {
      const row = insert.first({ ...post, status: post.kind === 'todo' ? 'open' : null });
      if (!row) throw new Error('The insert returned no rank');
      const rank = row[0] as number;
      commitReport.post({ ...post, rank });
      counts.add({ rank, keyId: post.keyId, createdAt: post.createdAt, kind: post.kind });
      return rank;
    },
  };
}
