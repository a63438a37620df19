import type { Message } from '@hub/contract';
import { navigate } from '../router/location.ts';
import { clockTime, fullTime } from '../time/format.ts';
import { openOrigin } from './message-actions.ts';

/** Who wrote it and when. Of a post by the bot, the name of the key leads to where it came from. */
export function MessageHead({ message, id }: { message: Message; id: string }) {
  const { author, key, editedAt, editedBy, deletedAt } = message;
  return (
    <p class="msg-head" id={id}>
      <span class="msg-name">{author.name}</span>{' '}
      {key && (
        <span class="via">
          via{' '}
          <button
            class="via-key"
            type="button"
            aria-label={`${key.name}, where this post came from`}
            onClick={() => openOrigin(message)}
          >
            {key.name}
          </button>
        </span>
      )}{' '}
      <MessageTime message={message} />
      {editedAt !== null && deletedAt === null && <Edited at={editedAt} by={editedBy} />}
    </p>
  );
}

/** When, as a link to the message itself. */
export function MessageTime({ message: { id, hubId, createdAt } }: { message: Message }) {
  return (
    <time class="at" dateTime={createdAt} title={fullTime(createdAt)}>
      <a
        href={`/p/${id}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          navigate(`/hubs/${hubId}?at=${id}`);
        }}
      >
        {clockTime(createdAt)}
      </a>
    </time>
  );
}

/** Marks a message whose text was edited, and names the editor if that was not its author. */
export function Edited({ at, by }: { at: string; by: Message['editedBy'] }) {
  return (
    <span class="edited" title={`Edited ${fullTime(at)}`}>
      edited
      {by && (
        <>
          {' by '}
          <bdi>{by.name}</bdi>
        </>
      )}
    </span>
  );
}
