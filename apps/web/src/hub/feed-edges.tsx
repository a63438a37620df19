import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRetry } from '../frame/use-retry.ts';
import type { ItemList } from '../items/item-list.ts';

/** The divider above the first unread message. `count` is a label such as "100+". */
export function NewDivider({ count }: { count: string }) {
  const text = count === '1' ? '1 new message below' : `${count} new messages below`;
  return (
    <div class="new-divider" role="separator" aria-label={text}>
      {count} new
    </div>
  );
}

/** The top of the loaded messages: an error if older ones failed to load, or `beginning` if there are none. */
export function FeedEdge({ list, beginning }: { list: ItemList; beginning: ComponentChildren }) {
  const older = list.older.value;
  const isEmpty = useComputed(() => list.items.value.length === 0).value;
  if (isEmpty) return null;
  if (older.status === 'failed') {
    return <NotLoaded text={`Couldn't load earlier messages. ${older.text}`} onRetry={() => list.loadOlder()} />;
  }
  if (!list.hasOlder.value && beginning === null) return null;
  return <div class="feed-edge">{list.hasOlder.value ? '' : beginning}</div>;
}

/** Says that part of a conversation failed to load, with a retry button. It also retries automatically. */
export function NotLoaded({ text, onRetry }: { text: string; onRetry: () => unknown }) {
  useRetry(onRetry);
  return (
    <div class="feed-edge" role="alert">
      <span>{text}</span>
      <button class="btn is-small" type="button" onClick={() => void onRetry()}>
        Try again
      </button>
    </div>
  );
}
