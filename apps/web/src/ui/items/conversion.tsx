import type { Message, Note, Todo } from '@hub/contract';
import { MessageSquare } from 'icons';
import { useItem } from '../../data/live/use-item.ts';
import { noteTitle, plainText } from '../../lib/posts/plain-text.ts';
import { withPanel } from '../../lib/router/location.ts';
import { todoStatusText } from '../../lib/time/due.ts';
import { now } from '../../lib/time/format.ts';
import { AuthorAvatar } from '../avatars/avatar.tsx';
import { Badge } from './row-parts.tsx';

/** The result of a conversion with its live status. The result may be deleted. */
export function ConversionBadge({ kind, id }: NonNullable<Message['conversion']>) {
  const result = useItem(id);
  const item = result.status === 'ready' && result.item.deletedAt === null ? result.item : null;
  if (item?.kind === 'todo') return <TodoBadge todo={item} />;
  if (item?.kind === 'note') return <Badge id={id} kind="note" title={noteTitle(item)} state="note" />;
  // Keep its space while it loads or if it fails to load; its panel can be opened either way.
  const isUnknown = result.status === 'loading' || result.status === 'failed';
  return isUnknown ? <Badge id={id} kind={kind} /> : null;
}

function TodoBadge({ todo }: { todo: Todo }) {
  const { id, title, status } = todo;
  const state = todoStatusText(todo, now.value);
  return <Badge id={id} kind="todo" title={title} state={state} isDone={status === 'done'} />;
}

/** The author of an item: a user or a key, whose name opens its panel. */
export function CreatedBy({ item }: { item: Note | Todo }) {
  const origin = `${withPanel(item.id)}&show=origin`;
  return (
    <>
      <AuthorAvatar item={item} size="s" />
      <span>
        {item.key ? (
          <>
            <a class="via-key" href={origin}>
              <bdi>{item.key.name}</bdi>
            </a>{' '}
            <span class="bot-tag">bot</span>
          </>
        ) : (
          <bdi>{item.author.name}</bdi>
        )}
      </span>
    </>
  );
}

export function SourceMessage({ id, hubId }: { id: string; hubId: string }) {
  const result = useItem(id);
  if (result.status === 'loading') return null;
  const isThere = result.status === 'ready' && result.item.deletedAt === null && result.item.kind === 'message';
  if (!isThere) return <p class="missing-source">The source message was deleted.</p>;
  const text = plainText(result.item);
  return (
    <a class="conversion" href={`/hubs/${encodeURIComponent(hubId)}?open=${encodeURIComponent(id)}`}>
      <MessageSquare />
      <span class="sr">Source message: </span>
      <span class="t cut">{text === '' ? 'Untitled message' : text.slice(0, 120)}</span>
    </a>
  );
}
