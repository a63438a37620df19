import type { Message } from '@hub/contract';
import { Avatar } from '../avatars/avatar.tsx';
import { useAllMembers } from '../members/members.ts';
import { withPanel } from '../router/location.ts';
import { daysAgo, shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';

/** A link to the thread: the last repliers, the reply count and the time of the last reply. */
export function ThreadLink({ message }: { message: Message }) {
  const { id, hubId, replyCount, lastReplyAt, repliers = [] } = message;
  const members = useAllMembers(hubId);
  const known = repliers
    .map((each) => members.find((member) => member.id === each))
    .filter((each) => each !== undefined);
  return (
    <div class="under">
      <a class="thread-link" href={withPanel(id)}>
        {known.length > 0 && (
          <span class="avatars">
            {known.map((member) => (
              <Avatar key={member.id} id={member.id} name={member.name} kind="person" size="s" />
            ))}
          </span>
        )}
        <b>{replyCount === 1 ? '1 reply' : `${replyCount} replies`}</b>
        {lastReplyAt !== null && <span>{lastText(lastReplyAt, now.value)}</span>}
      </a>
    </div>
  );
}

function lastText(iso: string, nowMs: number): string {
  return `last ${daysAgo(iso, nowMs) === 0 ? 'at ' : ''}${shortTime(iso, nowMs)}`;
}
