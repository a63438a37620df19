import ArrowDown from 'icon:arrow-down';
import { useComputed } from '@preact/signals';
import type { ItemList } from '../items/item-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { countOfOthers, firstAfter, placeOfSeq } from './feed-rows.ts';
import type { FeedView } from './feed-view.ts';
import type { RowScope } from './row-scope.ts';

/** Below the upper edge, so that one sees what was read last. */
export const LINE_TOP = 88;

interface JumpToNewestProps {
  list: ItemList;
  view: FeedView;
  scope: RowScope;
}

/** For a reader who is not at the newest: how many items arrived below, and the way to the first of them, or else to the newest. */
export function JumpToNewest({ list, view, scope }: JumpToNewestProps) {
  const myId = useWorkspace().me.value.id;
  const count = useComputed(() => {
    const items = list.items.value;
    return countOfOthers(items, placeOfSeq(items, view.seenSeq.value + 1), myId);
  }).value;
  const isNew = count > 0;
  if (view.isAtEnd.value || !(view.isFar.value || isNew)) return null;
  const jump = () => {
    const items = list.items.peek();
    const first = items[firstAfter(items, view.seenSeq.peek(), myId)];
    // At the newest everything is marked as read: what the reader has not seen comes first.
    if (first) view.goTo({ id: first.id, top: LINE_TOP });
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
