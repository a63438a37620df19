import ArrowDown from 'icon:arrow-down';
import { useComputed } from '@preact/signals';
import type { ItemList } from '../items/item-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { countOfOthers, firstAfter, indexOfSeq } from './feed-rows.ts';
import type { FeedView } from './feed-view.ts';
import type { RowScope } from './row-scope.ts';

/** The divider is placed this many pixels below the upper edge, so that the last read message stays visible. */
export const DIVIDER_TOP = 88;

interface JumpToNewestProps {
  list: ItemList;
  view: FeedView;
  scope: RowScope;
}

/**
 * A button for a reader who has scrolled up. It counts the items that have arrived since and jumps to the first of
 * them, or to the newest item if there are none.
 */
export function JumpToNewest({ list, view, scope }: JumpToNewestProps) {
  const myId = useWorkspace().me.value.id;
  const count = useComputed(() => {
    const items = list.items.value;
    return countOfOthers(items, indexOfSeq(items, view.seenSeq.value + 1), myId);
  }).value;
  const isNew = count > 0;
  if (view.isAtEnd.value || !(view.isFar.value || isNew)) return null;
  const jump = () => {
    const items = list.items.peek();
    const first = items[firstAfter(items, view.seenSeq.peek(), myId)];
    // Reaching the newest item marks everything as read, so unseen items come first.
    if (first) view.goTo({ id: first.id, top: DIVIDER_TOP });
    else scope.toNewest();
    scope.root()?.focus({ preventScroll: true });
  };
  return (
    <div class="jump">
      <button class={isNew ? 'pill is-fresh' : 'pill'} type="button" onClick={jump}>
        <ArrowDown size="s" />
        {isNew ? `${count} new` : 'Newest'}
      </button>
    </div>
  );
}
