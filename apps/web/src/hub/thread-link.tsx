import type { Message } from '@hub/contract';
import { withPanel } from '../router/location.ts';
import { daysAgo, shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';

/** How many answered, and when last; leads to them. */
export function ThreadLink({ message: { id, replyCount, lastReplyAt } }: { message: Message }) {
  return (
    <div class="under">
      <a class="thread-link" href={withPanel(id)}>
        <b>{replyCount === 1 ? '1 reply' : `${replyCount} replies`}</b>
        {lastReplyAt !== null && <span>{lastWords(lastReplyAt, now.value)}</span>}
      </a>
    </div>
  );
}

function lastWords(iso: string, nowMs: number): string {
  return `last ${daysAgo(iso, nowMs) === 0 ? 'at ' : ''}${shortTime(iso, nowMs)}`;
}
