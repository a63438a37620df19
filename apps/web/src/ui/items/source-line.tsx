import type { Note, Todo } from '@hub/contract';
import { MessageSquare } from 'icons';
import { useItem } from '../../data/live/use-item.ts';
import { plainText } from '../../lib/posts/plain-text.ts';
import { withPanel } from '../../lib/router/location.ts';
import { AuthorAvatar } from '../avatars/avatar.tsx';

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

/** A link to the source message. */
export function SourceMessage({ id, hubId }: { id: string; hubId: string }) {
  const result = useItem(id);
  if (result.status === 'loading') return null;
  const isThere = result.status === 'found' && result.item.deletedAt === null && result.item.kind === 'message';
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
