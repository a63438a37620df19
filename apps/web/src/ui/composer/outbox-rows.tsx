import { CircleAlert } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import { type Outbox, outboxOf } from '../../data/unsent/outbox.ts';
import type { Unsent } from '../../data/unsent/unsent.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { clockTime } from '../../lib/time/format.ts';
import { Avatar } from '../avatars/avatar.tsx';
import { Button } from '../button.tsx';
import { Markdown } from '../posts/post.tsx';
import { toast } from '../toast.tsx';

/** The user's unsent messages, shown at the end of the list that they belong to. */
export function OutboxRows({ draftKey }: { draftKey: string }) {
  const outbox = outboxOf(useWorkspace());
  const unsent = outbox.all.value.filter((message) => message.draftKey === draftKey);
  return unsent.map((message) => <UnsentRow key={message.id} message={message} outbox={outbox} />);
}

function UnsentRow({ message, outbox }: { message: Unsent; outbox: Outbox }) {
  const { id, text, files = [], at, state, failure } = message;
  const workspace = useWorkspace();
  const me = workspace.me.value;
  const discard = () => {
    const undo = outbox.discard(id);
    toast('Message discarded.', { action: { label: 'Undo', run: undo } });
  };
  const { connection } = workspace.hubs;
  const hasFailed = state === 'failed';
  const isHeld = state === 'waiting' && (!isOnline.value || connection.value.status !== 'live');
  return (
    <article
      class={hasFailed ? 'msg' : 'msg is-sending'}
      aria-label={`Your message, ${hasFailed ? 'not sent' : isHeld ? 'waiting for a connection' : 'being sent'}`}
    >
      <Avatar id={me.id} name={me.name} kind="user" />
      <div class="msg-body">
        <p class="msg-head">
          <span class="msg-name">{me.name}</span>
          <time class="at" dateTime={at}>
            {hasFailed ? clockTime(at) : isHeld ? 'Waiting for a connection' : 'Sending…'}
          </time>
        </p>
        <Markdown text={text} collapseLines={30} />
        {files.length > 0 && <p>{files.map(({ name }) => shownText(name)).join(', ')}</p>}
        {hasFailed && (
          <div class="under" role="alert">
            <span class="state is-blocked">
              <CircleAlert /> Not sent
            </span>
            <Button variant="is-small" label="Send again" onClick={() => outbox.resend(id)} />
            <Button variant="is-bare is-small" label="Discard" onClick={discard} />
            <p class="reason">{failure}</p>
          </div>
        )}
        {isHeld && (
          <div class="under">
            <Button variant="is-bare is-small" label="Discard" onClick={discard} />
          </div>
        )}
      </div>
    </article>
  );
}
