import ArrowDown from 'icon:arrow-down';
import { useComputed } from '@preact/signals';
import type { ItemList } from '../items/item-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { countOfOthers, placeOfSeq } from './feed-rows.ts';
import type { FeedView } from './feed-view.ts';

/** For whoever is not at the newest: the way there, and how many came meanwhile. */
export function JumpToNewest({ list, view, onJump }: { list: ItemList; view: FeedView; onJump: () => void }) {
  const myId = useWorkspace().me.value.id;
  const count = useComputed(() => {
    const items = list.items.value;
    return countOfOthers(items, placeOfSeq(items, view.seenSeq.value + 1), myId);
  }).value;
  const isNews = count > 0;
  if (view.isAtEnd.value || !(view.isFar.value || isNews)) return null;
  return (
    <div class="jump">
      <button class={isNews ? 'pill is-fresh' : 'pill'} type="button" onClick={onJump}>
        <ArrowDown size="s" />
        {isNews ? `${count} new` : 'Newest'}
      </button>
    </div>
  );
}
