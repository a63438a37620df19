import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ItemList } from '../items/item-list.ts';
import { dayHead } from '../time/format.ts';
import { now } from '../time/now.ts';

/** Where a day begins. */
export function DayHead({ at, Level }: { at: string; Level: 'h2' | 'h3' }) {
  const { word, day } = dayHead(at, now.value);
  return (
    <Level class="day">
      <span>
        {word !== null && (
          <>
            <b>{word}</b> ·{' '}
          </>
        )}
        {day}
      </span>
    </Level>
  );
}

/** Over the first message that one has not read. */
export function NewLine({ count }: { count: number }) {
  const words = count === 1 ? '1 new message below' : `${count} new messages below`;
  return (
    <div class="newline" role="separator" aria-label={words}>
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
    return (
      <div class="feed-edge">
        <span>Earlier messages did not load. {older.words}</span>
        <button class="btn is-small" type="button" onClick={() => void list.loadOlder()}>
          Try again
        </button>
      </div>
    );
  }
  if (!list.hasOlder.value && beginning === null) return null;
  return <div class="feed-edge">{list.hasOlder.value ? '' : beginning}</div>;
}
