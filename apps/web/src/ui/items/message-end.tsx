import type { Message, Question } from '@hub/contract';
import { CircleCheckBig, Clock } from 'icons';
import { useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { errorMessage, request } from '../../data/request.ts';
import { withPanel } from '../../lib/router/location.ts';
import { dueText } from '../../lib/time/due.ts';
import { fullTime, LOCALE, now, shortTime } from '../../lib/time/format.ts';
import { toast } from '../toast.tsx';
import { ConversionBadge } from './conversion.tsx';
import { When } from './when.tsx';

/** The parts below a message that few have: its question, and its conversion. */
export function MessageEnd({ message }: { message: Message }) {
  return (
    <>
      {message.question && <QuestionCard message={message} question={message.question} />}
      {message.conversion && <ConversionBadge {...message.conversion} />}
    </>
  );
}

const names = new Intl.ListFormat(LOCALE);
const ROLES: Readonly<Record<string, string>> = { admin: 'admins', owner: 'owners' };

/** Shows the choices of a question as buttons to those who may answer, its deadline, and who answered it. */
function QuestionCard({ message: { id, hubId }, question }: { message: Message; question: Question }) {
  const { me, items } = useWorkspace();
  const members = useAllMembers(hubId);
  const card = useRef<HTMLDivElement>(null);
  const [isSending, setSending] = useState(false);
  const { choices, answerBy, state } = question;
  const { id: myId, role } = me.value;
  const isNamed = (entry: string) => entry === myId || entry === role || (entry === 'admin' && role === 'owner');
  const isMine = state === 'open' && (answerBy === null || answerBy.some(isNamed));
  const answer = async (choice: string) => {
    setSending(true);
    try {
      await items.applyResponseOf(() =>
        request('PUT /messages/{messageId}/answer', { messageId: id, body: { choice } }),
      );
      // The button that had the focus is gone.
      card.current?.focus();
    } catch (error) {
      toast(`Your answer doesn’t count. ${errorMessage(error)}`, { isError: true });
    } finally {
      setSending(false);
    }
  };
  const nameOf = (entry: string) =>
    ROLES[entry] ??
    (entry === myId ? 'you' : undefined) ??
    members.find((member) => member.id === entry)?.name ??
    'a former member';
  return (
    <div class="question" ref={card} role="group" aria-label="Question" tabIndex={-1}>
      {state === 'open' && choices && (
        <div class="choices">
          {choices.map((choice) => (
            <button
              key={choice}
              class="btn"
              type="button"
              disabled={!isMine || isSending}
              onClick={() => void answer(choice)}
            >
              {choice}
            </button>
          ))}
        </div>
      )}
      <p class="question-state">
        <QuestionState id={id} question={question} isMine={isMine} />
      </p>
      {state === 'open' && answerBy && (
        <p class="question-state">Only {names.format(answerBy.map(nameOf))} can answer.</p>
      )}
    </div>
  );
}

function QuestionState({ id, question, isMine }: { id: string; question: Question; isMine: boolean }) {
  const { answer, state, choices, expiresAt } = question;
  if (answer) {
    return (
      <>
        <CircleCheckBig size="s" />
        <span>
          {answer.choice === null ? <a href={withPanel(id)}>Answered in the thread</a> : <b>{answer.choice}</b>}
          {', '}
          <bdi>{answer.by.name}</bdi>, <When at={answer.at} />
        </span>
      </>
    );
  }
  const time = (
    <time dateTime={expiresAt} title={fullTime(expiresAt)}>
      {state === 'open' ? dueText(expiresAt, now.value) : shortTime(expiresAt, now.value)}
    </time>
  );
  return (
    <>
      <Clock size="s" />
      {state === 'expired' ? (
        <span>Expired without an answer, {time}</span>
      ) : choices || !isMine ? (
        <span>Answer by {time}</span>
      ) : (
        <span>
          <a href={withPanel(id)}>Reply</a> to answer, by {time}
        </span>
      )}
    </>
  );
}
