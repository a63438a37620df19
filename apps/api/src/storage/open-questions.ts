import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection } from './engine/connection.ts';
import { given, select } from './engine/query.ts';
import { deleteFrom, insertInto } from './engine/write.ts';

/** Questions that can be answered, or expire. The transaction that deletes the row closes the question, on any node. */
export const openQuestions = sqliteTable(
  'open_questions',
  { itemId: text().primaryKey(), expiresAt: integer().notNull() },
  (question) => [index('open_questions_by_expiry').on(question.expiresAt)],
);

const { itemId, expiresAt } = openQuestions;
const isItem = eq(itemId, given('itemId'));
const list = select({ itemId, expiresAt }, openQuestions, gt(expiresAt, 0), {
  orderBy: asc(expiresAt),
  limit: given('limit'),
});
const insert = insertInto(openQuestions);
const close = deleteFrom(openQuestions, and(isItem, gt(expiresAt, given('now'))));
const expire = deleteFrom(openQuestions, and(isItem, lte(expiresAt, given('now'))));

export function openQuestionReads(on: Connection) {
  return {
    /** Lists the questions that expire first, or already have. */
    list: async (limit: number) => on.all(list, { limit }),
  };
}

export function openQuestionChanges(on: Connection, report: Pick<CommitReportBuilder, 'due'>) {
  return {
    insert: async (question: typeof openQuestions.$inferSelect): Promise<void> => {
      await on.run(insert, question);
      report.due(question.expiresAt);
    },
    /** Closes a question with an answer. Returns false if it is closed already, or has expired. */
    close: async (itemId: string, now: number): Promise<boolean> => (await on.run(close, { itemId, now })) > 0,
    /** Closes a question that has expired. Returns false if it is closed already, or has not expired. */
    expire: async (itemId: string, now: number): Promise<boolean> => (await on.run(expire, { itemId, now })) > 0,
  };
}
