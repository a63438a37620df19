import type { Item, Message, Note } from '@hub/contract';
import { openEmojiPicker } from '../hub/message-actions.ts';
import { useRowScope } from '../hub/row-scope.ts';
import { ThreadLink } from '../hub/thread-link.tsx';
import { ConversionBadge } from '../item-text/conversion.tsx';
import { excerpt } from '../item-text/excerpt.ts';
import { itemUrl } from '../items/item-url.ts';
import { PostBody } from '../posts/post-body.tsx';
import { ReactionChips } from '../reactions/reaction-chips.tsx';
import { ReplyContext } from './reply-context.tsx';
import { TodoCard } from './todo-card.tsx';

/** Feeds are for skimming: longer posts can be read in full in their Hub. */
const COLLAPSED_LINES = 12;

/** The content of an item, shortened for a feed. */
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
      {scope && <ReactionChips message={item} onAdd={(opener) => openEmojiPicker(scope, item, opener)} />}
      {item.conversion && <ConversionBadge {...item.conversion} />}
      {item.replyCount > 0 && <ThreadLink message={item} />}
    </>
  );
}

function NoteCard({ item }: { item: Note }) {
  return (
    <a class="note" href={itemUrl(item)}>
      {item.title !== null && <h3>{item.title}</h3>}
      <p>{excerpt(item.content)}</p>
    </a>
  );
}
