import type { Item, Message, Note } from '@hub/contract';
import { askForEmoji } from '../hub/message-actions.ts';
import { useRowScope } from '../hub/row-scope.ts';
import { ThreadLink } from '../hub/thread-link.tsx';
import { Became } from '../item-text/conversion.tsx';
import { excerpt } from '../item-text/excerpt.ts';
import { placeOf } from '../items/url-of.ts';
import { PostBody } from '../posts/post-body.tsx';
import { ReactionChips } from '../reactions/reaction-chips.tsx';
import { ReplyContext } from './reply-context.tsx';
import { TodoCard } from './todo-card.tsx';

/** A feed is to be looked through: more than that stands where the item does. */
const COLLAPSED_LINES = 12;

/** What an item says, as short as a feed needs it. */
export function EntryBody({ item }: { item: Item }) {
  if (item.kind === 'todo') return <TodoCard item={item} />;
  if (item.kind === 'note') return <NoteCard item={item} />;
  return <MessageBody item={item} />;
}

function MessageBody({ item }: { item: Message }) {
  const scope = useRowScope();
  if (item.deletedAt !== null) return <p class="deleted">This message was deleted.</p>;
  return (
    <>
      {item.parentId !== null && <ReplyContext parentId={item.parentId} />}
      <PostBody item={item} collapseLines={COLLAPSED_LINES} />
      {scope && <ReactionChips message={item} onAdd={(opener) => askForEmoji(scope, item, opener)} />}
      {item.conversion && <Became {...item.conversion} />}
      {item.replyCount > 0 && <ThreadLink message={item} />}
    </>
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
