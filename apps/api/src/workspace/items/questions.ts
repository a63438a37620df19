import { ANSWERING_ROLES, type AskedQuestion, LIMITS, type Question } from '@hub/contract';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../platform/errors.ts';
import { DAY_MS, isoTime, parseDateTime } from '../../platform/time.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { nameKeys } from '../users/display-names.ts';

/** The question as a message keeps it. Its columns say who answered it, and when. */
interface StoredQuestion extends Pick<Question, 'choices' | 'answerBy'> {
  expiresAt: number;
  hasExpired?: true;
  /** The answer: one of the choices, or the id of a reply. */
  choice?: string;
  replyId?: string;
}

type QuestionItem = Pick<ItemRecord, 'question' | 'finishedAt' | 'finishedById' | 'finishedByName'>;

export function readQuestion({ question }: Pick<ItemRecord, 'question'>): StoredQuestion | null {
  return question === null ? null : (JSON.parse(question) as StoredQuestion);
}

export function questionView(item: QuestionItem): Question | null {
  const question = readQuestion(item);
  if (!question) return null;
  const { choices, answerBy, expiresAt, hasExpired, choice = null, replyId = null } = question;
  const { finishedAt, finishedById, finishedByName } = item;
  return {
    choices,
    answerBy,
    expiresAt: isoTime(expiresAt),
    state: finishedAt !== null ? 'answered' : hasExpired ? 'expired' : 'open',
    answer:
      finishedAt === null
        ? null
        : { choice, replyId, by: { id: finishedById ?? '', name: finishedByName ?? '' }, at: isoTime(finishedAt) },
  };
}

/** Returns the question to store with a message, or throws `invalid`. Users that it names must be members of the Hub. */
export async function newQuestion(
  tx: Pick<Repositories, 'memberships'>,
  hubId: string,
  { choices, answerBy, expiresAt, expiresInSeconds }: AskedQuestion,
  now: number,
): Promise<StoredQuestion> {
  const labels = choices?.map((label) => label.trim());
  if (labels && (labels.length < 2 || labels.includes('') || haveTwins(labels))) {
    throw new AppError('invalid', 'question.choices must have 2 to 10 labels that look different, none of them blank');
  }
  if ((expiresAt === undefined) === (expiresInSeconds === undefined))
    throw new AppError('invalid', 'A question requires either expiresAt or expiresInSeconds');
  const expiry = expiresAt === undefined ? now + (expiresInSeconds ?? 0) * 1_000 : (parseDateTime(expiresAt) ?? 0);
  if (expiry <= now || expiry > now + LIMITS.questionDays * DAY_MS)
    throw new AppError(
      'invalid',
      `question.expiresAt must be in the future, at most ${LIMITS.questionDays} days from now`,
    );
  const members = answerBy && (await tx.memberships.listActive(hubId));
  const canAnswer = (entry: string) => isRole(entry) || members?.some(({ id }) => id === entry);
  const other = answerBy?.find((entry) => !canAnswer(entry));
  if (answerBy?.length === 0 || other !== undefined) {
    const given = other === undefined ? '' : `, not ${JSON.stringify(other)}`;
    throw new AppError(
      'invalid',
      `question.answerBy must have IDs of active members of this Hub, "admin" or "owner"${given}`,
    );
  }
  return { choices: labels ?? null, answerBy: answerBy ? [...new Set(answerBy)] : null, expiresAt: expiry };
}

/** Whether two labels differ in case at most, or look alike: members must not approve what they take for something else. */
function haveTwins(labels: readonly string[]): boolean {
  const keys = labels.map(nameKeys);
  const distinct = (name: keyof (typeof keys)[number]) => new Set(keys.map((key) => key[name])).size;
  return Math.min(distinct('caselessName'), distinct('skeletonName')) < labels.length;
}

const isRole = (entry: string): boolean => (ANSWERING_ROLES as readonly string[]).includes(entry);

type Answerer = Pick<UserRecord, 'id' | 'role'>;

/** Whether a question names this user, or their role. */
function names(answerBy: readonly string[], { id, role }: Answerer): boolean {
  return answerBy.some((entry) => entry === id || entry === role || (entry === 'admin' && role === 'owner'));
}

/** Whether a question lets this member answer. */
export function mayAnswer({ answerBy }: Pick<StoredQuestion, 'answerBy'>, user: Answerer): boolean {
  return answerBy === null || names(answerBy, user);
}

/** Returns those of the members whom a message names in its question: it notifies them like a mention. */
export function namedAnswerers(item: Pick<ItemRecord, 'question'>, members: readonly Answerer[]): Set<string> {
  const { answerBy = null } = readQuestion(item) ?? {};
  return new Set(answerBy === null ? [] : members.flatMap((member) => (names(answerBy, member) ? member.id : [])));
}

/** Whether the caller is a program of the user who asked. It cannot answer itself, and may post to its own thread. */
export function isAsker({ credential, user }: Caller, { authorId }: Pick<ItemRecord, 'authorId'>): boolean {
  return credential.kind === 'token' && user?.id === authorId;
}

/** Throws `conflict` if a message is a question that was answered or has expired. */
export function requireOpenQuestion(item: QuestionItem, now: number): void {
  const { state } = questionView(item) ?? { state: 'open' };
  if (state !== 'open') throw isClosed(item, now);
}

export function isClosed(item: QuestionItem, now: number): AppError {
  const view = questionView(item);
  const { answer } = view ?? {};
  const what = answer?.choice == null ? 'answered this question' : `answered “${answer.choice}”`;
  const message = answer
    ? `${answer.by.name} ${what} ${ago(now - Date.parse(answer.at))}.`
    : `This question expired ${ago(now - Date.parse(view?.expiresAt ?? ''))}.`;
  return new AppError('conflict', message);
}

const UNITS = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

function ago(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds <= 0) return 'just now';
  const unit = (Object.keys(UNITS) as (keyof typeof UNITS)[]).find((each) => seconds >= UNITS[each]) ?? 'second';
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(seconds / UNITS[unit]), unit);
}

/**
 * Records the answer, unless the question is closed: of all answers and its expiry, one comes first, whichever node it
 * is on. Returns false if it was closed. The caller writes the event.
 */
export async function closeWithAnswer(
  tx: Pick<Repositories, 'items' | 'openQuestions'>,
  item: ItemRecord,
  answer: Pick<StoredQuestion, 'choice' | 'replyId'>,
  { at, userId }: { at: number; userId: string },
): Promise<boolean> {
  if (!(await tx.openQuestions.close(item.id, at))) return false;
  const question = JSON.stringify({ ...readQuestion(item), ...answer });
  await tx.items.update(item, { question, finishedAt: at, finishedById: userId }, at);
  return true;
}

/** Lets a reply answer the question that it replies to, if that is open, has no choices, and the author may answer it. */
export async function answerByReply(
  tx: Pick<Repositories, 'items' | 'openQuestions'>,
  caller: Caller,
  item: ItemRecord,
  reply: { id: string; createdAt: number },
): Promise<void> {
  const question = readQuestion(item);
  const { user } = caller;
  if (!question || question.choices || !user || isAsker(caller, item) || !mayAnswer(question, user)) return;
  await closeWithAnswer(tx, item, { replyId: reply.id }, { at: reply.createdAt, userId: user.id });
}
