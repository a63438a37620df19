import type { Message } from '@hub/contract';
import { navigate } from '../router/location.ts';
import { clockTime, fullTime } from '../time/format.ts';
import { openOrigin } from './message-actions.ts';

/** The author and time of a message. For a post by the bot, the key name opens its source. */
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
            aria-label={`${key.name}: show source`}
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

/** The time of a message, as a link to the message. */
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
