import { useComputed } from '@preact/signals';
import { ArrowDown } from 'icons';
import type { ComponentChildren } from 'preact';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { useIsSlow, useRetry } from '../../ui/page/load-states.tsx';
import { countOfOthers, firstAfter, indexOfSeq } from './feed-rows.ts';
import type { FeedView } from './feed-view.ts';
import type { RowScope } from './row-scope.ts';

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
export function FeedEdge({ list, view, beginning }: { list: ItemList; view: FeedView; beginning: ComponentChildren }) {
  const older = list.older.value;
  const isEmpty = useComputed(() => list.items.value.length === 0).value;
  if (isEmpty) return null;
  if (older.status === 'failed') {
    return <NotLoaded text={`Couldn’t load earlier messages. ${older.text}`} onRetry={() => list.loadOlder()} />;
  }
  if (view.isPaused.value) {
    return (
      <div class="feed-edge">
        <Button variant="is-small" label="Load earlier messages" onClick={() => view.resume()} />
      </div>
    );
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
      <Button variant="is-small" label="Try again" onClick={() => void onRetry()} />
    </div>
  );
}

/** The skeleton of a feed. */
export function FeedSkeleton({ what = 'the conversation' }: { what?: string }) {
  if (!useIsSlow()) return null;
  return (
    <div class="feed-cover" role="status">
      <span class="sr">Loading {what}</span>
      {[0, 1, 2].map((n) => (
        <div key={n} class="msg" aria-hidden="true">
          <div class="skeleton-line is-avatar" />
          <div class="msg-body">
            <div class="skeleton-line w1" />
            <div class="skeleton-line w2" />
            {n !== 1 && <div class="skeleton-line w3" />}
          </div>
        </div>
      ))}
    </div>
  );
}

/** The divider is placed this many pixels below the upper edge, so that the last read message stays visible. */
export const DIVIDER_TOP = 88;

/** A button for a reader who has scrolled up: counts what arrived since, and jumps there or to the newest. */
export function JumpToNewest({ list, view, scope }: { list: ItemList; view: FeedView; scope: RowScope }) {
  const myId = useWorkspace().me.value.id;
  const count = useComputed(() => {
    const items = list.items.value;
    const seenSeq = view.seenSeq.value;
    const hasNew = firstAfter(items, Math.max(seenSeq, view.seq), myId) >= 0;
    return hasNew ? countOfOthers(items, indexOfSeq(items, seenSeq + 1), myId) : 0;
  }).value;
  const isNew = count > 0;
  if (view.isAtEnd.value || !(view.isFar.value || isNew)) return null;
  const jump = () => {
    const items = list.items.peek();
    const first = isNew ? items[firstAfter(items, view.seenSeq.peek(), myId)] : undefined;
    // Reaching the newest item marks everything as read, so unseen items come first.
    if (first) view.goTo({ id: first.id, top: DIVIDER_TOP });
    else scope.toNewest();
    scope.root()?.focus({ preventScroll: true });
  };
  return (
    <div class="jump">
      <button class={isNew ? 'pill is-fresh' : 'pill'} type="button" onClick={jump}>
        <ArrowDown />
        {isNew ? `${count}${list.hasNewer.value ? '+' : ''} new` : 'Newest'}
      </button>
    </div>
  );
}
