import type { Item, Message, Note } from '@hub/contract';
import { placeOf } from '../items/place-of.ts';
import { PostBody } from '../posts/post-body.tsx';
import { withPanel } from '../router/location.ts';
import { shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';
import { Became } from '../words/became.tsx';
import { excerpt } from '../words/excerpt.ts';
import { ReplyContext } from './reply-context.tsx';
import { TodoSlip } from './todo-slip.tsx';

/** A feed is to be looked through: more than that stands where the item does. */
const FOLD_LINES = 12;

/** What an item says, as short as a feed needs it. */
export function EntryBody({ item }: { item: Item }) {
  if (item.kind === 'todo') return <TodoSlip item={item} />;
  if (item.kind === 'note') return <NoteCard item={item} />;
  return <MessageBody item={item} />;
}

function MessageBody({ item }: { item: Message }) {
  if (item.deletedAt !== null) return <p class="gone">This message was deleted.</p>;
  return (
    <>
      {item.parentId !== null && <ReplyContext parentId={item.parentId} />}
      <PostBody item={item} foldLines={FOLD_LINES} />
      {item.reactions.length > 0 && <Reactions item={item} />}
      {item.conversion && <Became {...item.conversion} />}
      {item.replyCount > 0 && <ThreadLink item={item} />}
    </>
  );
}

function Reactions({ item }: { item: Message }) {
  return (
    <ul class="chips" aria-label="Reactions">
      {item.reactions.map(({ emoji, personIds }) => (
        <li key={emoji} class="chip">
          <span class="e">{emoji}</span>
          {personIds.length}
        </li>
      ))}
    </ul>
  );
}

function ThreadLink({ item: { id, replyCount, lastReplyAt } }: { item: Message }) {
  return (
    <div class="under">
      <a class="thread-link" href={withPanel(id)}>
        <b>
          {replyCount} {replyCount === 1 ? 'reply' : 'replies'}
        </b>
        {lastReplyAt !== null && <span>last {shortTime(lastReplyAt, now.value)}</span>}
      </a>
    </div>
  );
}

function NoteCard({ item }: { item: Note }) {
  return (
    <a class="note" href={placeOf(item)}>
      {item.title !== null && <h3>{item.title}</h3>}
      <p>{excerpt(item.content)}</p>
    </a>
  );
}
