import { useComputed } from '@preact/signals';
import { ArrowDown, ArrowUp } from 'icons';
import type { ComponentChildren } from 'preact';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { useIsSlow, useRetry } from '../../ui/page/load-states.tsx';
import { countFrom, firstAfter, indexOfSeq } from './feed-rows.ts';
import type { FeedView } from './feed-view.ts';
import type { RowScope } from './row-scope.ts';

/** The edge of the loaded items: an error if older ones failed to load, or `beginning` if there are none. */
export function FeedEdge(props: { list: ItemList; view: FeedView; beginning: ComponentChildren; noun?: string }) {
  const { list, view, beginning, noun = 'earlier messages' } = props;
  const older = list.older.value;
  const isEmpty = useComputed(() => list.items.value.length === 0).value;
  if (isEmpty) return null;
  if (older.status === 'failed') {
    return <NotLoaded text={`Couldn’t load ${noun}. ${older.text}`} onRetry={() => list.loadOlder()} />;
  }
  if (view.isPaused.value) {
    return (
      <div class="feed-edge">
        <Button variant="is-small" label={`Load ${noun}`} onClick={() => view.resume()} />
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
  const { mayBeNew } = useWorkspace().hubs;
  const count = useComputed(() => {
    const items = list.items.value;
    const seenSeq = view.seenSeq.value;
    const hasNew = firstAfter(items, Math.max(seenSeq, view.seq), mayBeNew) >= 0;
    return hasNew ? countFrom(items, indexOfSeq(items, seenSeq + 1), mayBeNew) : 0;
  }).value;
  if (view.isAtEnd.value) return null;
  const jump = () => {
    const items = list.items.peek();
    const first = count > 0 ? items[firstAfter(items, view.seenSeq.peek(), mayBeNew)] : undefined;
    // Reaching the newest item marks everything as read, so unseen items come first.
    if (first) view.goTo({ id: first.id, top: DIVIDER_TOP });
    else scope.toNewest();
    scope.root()?.focus({ preventScroll: true });
  };
  return <JumpButton count={count} isMore={list.hasNewer.value} view={view} onPress={jump} />;
}

export function JumpButton(props: { count: number; isMore?: boolean; view: FeedView; onPress: () => void }) {
  const { count, isMore = false, view, onPress } = props;
  if (count === 0 && !view.isFar.value) return null;
  const [frame, fresh] = view.isNewestFirst ? ['to-top', 'is-new'] : ['jump', 'is-fresh'];
  return (
    <div class={frame}>
      <button class={count > 0 ? `pill ${fresh}` : 'pill'} type="button" onClick={onPress}>
        {view.isNewestFirst ? <ArrowUp /> : <ArrowDown />}
        {count > 0 ? `${count}${isMore ? '+' : ''} new` : 'Newest'}
      </button>
    </div>
  );
}
