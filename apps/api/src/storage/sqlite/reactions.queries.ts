import { LIMITS } from '@hub/contract';
import { and, countDistinct, eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { ItemRecord, ReactionChange } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import type { ItemBasics } from './item-basics.queries.ts';
import { reactions } from './tables/item-details.table.ts';

/** Each function runs inside a writer transaction. */
export function reactionWrites(db: Db, { requireUndeleted, report }: ItemBasics) {
  const insert = db
    .insert(reactions)
    .values({
      itemId: sql.placeholder('itemId'),
      emoji: sql.placeholder('emoji'),
      personId: sql.placeholder('personId'),
      at: sql.placeholder('at'),
    })
    .onConflictDoNothing()
    .returning({ at: reactions.at })
    .prepare();
  const remove = db
    .delete(reactions)
    .where(
      and(
        eq(reactions.itemId, sql.placeholder('itemId')),
        eq(reactions.emoji, sql.placeholder('emoji')),
        eq(reactions.personId, sql.placeholder('personId')),
      ),
    )
    .returning({ at: reactions.at })
    .prepare();
  const countEmoji = db
    .select({ n: countDistinct(reactions.emoji) })
    .from(reactions)
    .where(eq(reactions.itemId, sql.placeholder('itemId')))
    .prepare();

  return {
    react: ({ itemId, emoji, personId, at, isOn, actingUser }: ReactionChange): ItemRecord => {
      const item = requireUndeleted(itemId, actingUser);
      const changed = isOn ? insert.get({ itemId, emoji, personId, at }) : remove.get({ itemId, emoji, personId });
      if (!changed) return item;
      if (isOn && (countEmoji.get({ itemId })?.n ?? 0) > LIMITS.reactionsPerMessage) {
        throw new AppError(
          'conflict',
          `This message has ${LIMITS.reactionsPerMessage} different reactions, the maximum. Use one of those.`,
        );
      }
      report({ item, change: 'changed', at });
      return requireUndeleted(itemId);
    },
  };
}
