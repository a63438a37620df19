import { and, count, desc, eq, gt, isNotNull, isNull, lte, min } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { columnsWithout, given, json, select } from './engine/query.ts';
import { deleteFrom, insertInto, update, updatesOf } from './engine/write.ts';

/** The text of a mail. It contains no secret: the link of a mail is made when the mail is sent. */
export interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  /** The label of the link, and its path unless the link is made when the mail is sent. */
  action?: { label: string; path?: string };
}

/** The mails to send. A row is deleted when its mail is sent, and a week after it was given up. */
export const mails = sqliteTable(
  'mails',
  {
    id: text().primaryKey(),
    recipient: text().notNull(),
    /** The kind of link that is made for it: for `linkId`, or for the account of the recipient. */
    linkKind: text({ enum: ['invitation', 'password_reset', 'email_change'] }),
    linkId: text(),
    /** JSON. */
    content: text().notNull(),
    createdAt: integer().notNull(),
    /** When it is sent, or the next attempt begins. */
    dueAt: integer().notNull(),
    attempts: integer().notNull(),
    givenUpAt: integer(),
    /** Why the last attempt failed. */
    problem: text(),
  },
  (mail) => [index('mails_by_state').on(mail.givenUpAt, mail.dueAt)],
);

const columns = { ...columnsWithout(mails, 'givenUpAt', 'problem'), content: json<MailContent>(mails.content) };
const isOfId = eq(mails.id, given('id'));
const isWaiting = isNull(mails.givenUpAt);
const listDue = select(columns, mails, and(isWaiting, lte(mails.dueAt, given('now'))), {
  orderBy: mails.dueAt,
  limit: given('limit'),
});
const nextDueAt = select({ dueAt: min(mails.dueAt) }, mails, isWaiting);
const countWaiting = select({ all: count() }, mails, isWaiting);
const countGivenUp = select({ all: count() }, mails, isNotNull(mails.givenUpAt));
const { problem } = mails;
/** The mail that waits longest for its next attempt has failed before, if any has. */
const waitingProblem = select({ problem }, mails, isWaiting, { orderBy: desc(mails.dueAt), limit: 1 });
const lastGivenUp = select({ problem }, mails, gt(mails.givenUpAt, 0), { orderBy: desc(mails.givenUpAt), limit: 1 });

export type MailRecord = RowOf<typeof listDue>;
export type NewMail = Pick<MailRecord, 'recipient' | 'content'> & Partial<Pick<MailRecord, 'linkKind' | 'linkId'>>;

export function mailReads(on: Connection) {
  return {
    /** Returns the mails whose next attempt is due, in order. */
    listDue: async (now: number, limit: number) => on.all(listDue, { now, limit }),
    /** Returns when the next attempt is due; `null` if no mail waits. */
    nextDueAt: async () => (await on.first(nextDueAt))?.dueAt ?? null,
    /** Returns how many wait and how many were given up within a week, and why the last attempt failed. */
    state: async () => ({
      waiting: (await on.first(countWaiting))?.all ?? 0,
      failed: (await on.first(countGivenUp))?.all ?? 0,
      problem: ((await on.first(waitingProblem)) ?? (await on.first(lastGivenUp)))?.problem ?? null,
    }),
  };
}

const insert = insertInto(mails);
const isAsRead = and(isOfId, eq(mails.attempts, given('before')), isWaiting);
const claim = update(mails, { attempts: given('attempts') as never, dueAt: given('dueAt') as never }, isAsRead);
const updates = updatesOf(mails, isOfId);
const remove = deleteFrom(mails, isOfId);
const removeGivenUp = deleteFrom(mails, lte(mails.givenUpAt, given('before')));

export function mailChanges(on: Connection, report: Pick<CommitReportBuilder, 'due'>) {
  return {
    insert: async ({ content, ...mail }: MailRecord): Promise<void> => {
      await on.run(insert, { ...mail, content: JSON.stringify(content), givenUpAt: null, problem: null });
      report.due(mail.dueAt);
    },
    /** Takes a mail for an attempt, until `dueAt`. Returns false if it was taken since it was read. */
    claim: async ({ id, attempts }: MailRecord, dueAt: number): Promise<boolean> =>
      (await on.run(claim, { id, before: attempts, attempts: attempts + 1, dueAt })) === 1,
    fail: async (id: string, failure: { dueAt: number; problem: string; givenUpAt: number | null }) =>
      on.run(updates(failure), { id, ...failure }),
    delete: async (id: string) => on.run(remove, { id }),
    deleteGivenUp: async (before: number) => on.run(removeGivenUp, { before }),
  };
}
