import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { repeat, WHEN_DUE } from '../../platform/repeat.ts';
import type { CommitListeners } from '../../storage/commit-report.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { authorOf, findUndeletedItem, MESSAGE } from './item-rights.ts';
import { closeWithAnswer, isAsker, isClosed, mayAnswer, readQuestion } from './questions.ts';
import { appendItemEvent, storedItem } from './write-item.ts';

/** Answers a question by a choice. The first answer counts; repeating it changes nothing. */
export function answerQuestion(
  deps: Deps,
  caller: Caller,
  { messageId, choice: label }: { messageId: string; choice: string },
): Promise<ItemRecord> {
  const choice = label.trim();
  return changeAs(deps, caller, async (tx, current) => {
    const item = await findUndeletedItem(tx, current, messageId, MESSAGE);
    const user = authorOf(current);
    const question = readQuestion(item);
    if (!question) throw new AppError('conflict', 'This message is not a question.');
    if (isAsker(current, item))
      throw new AppError(
        'forbidden',
        'A token of the user who asked cannot answer. Sign in as a user, or use another account.',
      );
    if (!mayAnswer(question, user)) throw await onlyNamed(tx, item.hubId, question.answerBy ?? []);
    if (!question.choices) throw new AppError('conflict', 'This question has no choices: reply to it to answer.');
    if (!question.choices.includes(choice))
      throw new AppError('invalid', `choice must be one of ${question.choices.join(', ')}`);
    if (question.choice === choice && item.finishedById === user.id) return item;
    const at = deps.clock.now();
    if (!(await closeWithAnswer(tx, item, { choice }, { at, userId: user.id }))) throw isClosed(item, at);
    await appendItemEvent(tx, item, { change: 'changed', at });
    return storedItem(tx, item.id);
  });
}

async function onlyNamed(tx: Repositories, hubId: string, answerBy: readonly string[]): Promise<AppError> {
  const members = new Map((await tx.memberships.listActive(hubId)).map(({ id, name }) => [id, name]));
  const roles: Record<string, string> = { admin: 'admins', owner: 'owners' };
  const named = answerBy.flatMap((entry) => roles[entry] ?? members.get(entry) ?? []);
  const names = new Intl.ListFormat('en').format(named) || 'members who have left';
  return new AppError('forbidden', `Only ${names} can answer this question.`);
}

const AT_A_TIME = 100;

type ExpiryDeps = Pick<Deps, 'store' | 'clock' | 'log'> & { commits: CommitListeners };

/** Closes questions soon after they expire. Only one of several nodes does. Returns what stops it. */
export function expireQuestionsRegularly({ commits, ...deps }: ExpiryDeps, isLeader?: () => boolean) {
  const failure = 'Failed to close expired questions';
  return repeat(deps, { ...WHEN_DUE, isLeader, onDue: commits.onDue, failure }, () => expireQuestions(deps));
}

/** Closes all questions that have expired, each with an event. Returns when the next one expires, if there is one. */
export async function expireQuestions({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<number | null> {
  const now = clock.now();
  for (;;) {
    const first = await store.openQuestions.list(AT_A_TIME);
    for (const { itemId, expiresAt } of first) {
      if (expiresAt > now) return expiresAt;
      await store.transaction(async (tx) => {
        const item = await tx.items.find(itemId);
        if (!(await tx.openQuestions.expire(itemId, now)) || !item) return;
        await tx.items.update(item, { question: JSON.stringify({ ...readQuestion(item), hasExpired: true }) }, now);
        if (item.deletedAt === null) await appendItemEvent(tx, item, { change: 'changed', at: now });
      });
    }
    if (first.length < AT_A_TIME) return null;
  }
}
