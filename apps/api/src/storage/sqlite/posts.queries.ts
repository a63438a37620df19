import { sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { ItemKind } from '../records.ts';
import type { NewPost } from '../store.ts';
import { boundStatement } from './engine/bound-statement.ts';
import type { Db } from './engine/database.ts';
import type { EventWrites, SequencedHub } from './events.queries.ts';
import type { KeyWrites } from './keys.queries.ts';
import { type MentionWrites, mayMention } from './mentions.queries.ts';
import type { PostCounts } from './post-counts.ts';
import { items } from './tables/items.table.ts';

const containerOf: Record<ItemKind, (hub: SequencedHub) => string> = {
  message: (hub) => hub.conversationId,
  note: (hub) => hub.notesBucketId,
  todo: (hub) => hub.todosBucketId,
};

interface PostWriteDeps {
  events: EventWrites;
  counts: PostCounts;
  keys: Pick<KeyWrites, 'requireValid'>;
  mentions: MentionWrites;
  botId: string;
}

/** Each function runs inside a writer transaction. */
export function postWrites(db: Db, { events, counts, keys, mentions, botId }: PostWriteDeps) {
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
    create: (post: NewPost): { seq: number; containerId: string } => {
      const { hubId, createdAt: at, id: itemId, kind } = post;
      // The key was authenticated before the body arrived, which may have been long ago.
      keys.requireValid(post.keyId, at);
      const hub = events.append({ hubId, at, event: `${kind}.created`, itemId, addedItems: 1 });
      if (!hub || hub.deletedAt !== null) throw new AppError('not_found', 'The Hub of this key was deleted.');
      const row = insert.first({ ...post, seq: hub.seq, status: kind === 'todo' ? 'open' : null });
      if (!row) throw new Error('The insert returned no rank');
      counts.add({ rank: row[0] as number, keyId: post.keyId, createdAt: at, kind });
      if (mayMention(post)) mentions.write({ ...post, rank: row[0] as number, authorId: null, parentId: null });
      return { seq: hub.seq, containerId: containerOf[kind](hub) };
    },
  };
}
