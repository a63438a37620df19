import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useAgain } from '../frame/use-again.ts';
import type { ItemList } from '../items/item-list.ts';

/** Over the first message that one has not read. `count`: in words, such as "100+". */
export function NewLine({ count }: { count: string }) {
  const text = count === '1' ? '1 new message below' : `${count} new messages below`;
  return (
    <div class="newline" role="separator" aria-label={text}>
      {count} new
    </div>
  );
}

/** The upper end of what is loaded: more comes, could not come, or there is none. */
export function FeedEdge({ list, beginning }: { list: ItemList; beginning: ComponentChildren }) {
  const older = list.older.value;
  const isEmpty = useComputed(() => list.items.value.length === 0).value;
  if (isEmpty) return null;
  if (older.status === 'failed') {
    return <NotLoaded text={`Earlier messages did not load. ${older.text}`} onAgain={() => list.loadOlder()} />;
  }
  if (!list.hasOlder.value && beginning === null) return null;
  return <div class="feed-edge">{list.hasOlder.value ? '' : beginning}</div>;
}

/** A part of a conversation that is missing, between those that are there. */
export function NotLoaded({ text, onAgain }: { text: string; onAgain: () => unknown }) {
  useAgain(onAgain);
  return (
    <div class="feed-edge" role="alert">
      <span>{text}</span>
      <button class="btn is-small" type="button" onClick={() => void onAgain()}>
        Try again
      </button>
    </div>
  );
}
