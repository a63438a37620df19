import type { RefObject } from 'preact';
import { ErrorNotice } from '../frame/error-notice.tsx';
import type { Found } from './find.ts';
import { Hit } from './hit.tsx';

interface HitsProps {
  found: Found;
  query: string;
  /** Which of them is chosen. */
  at: number;
  list: RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  onPoint: (at: number) => void;
  onOpen: (id: string) => void;
  onAgain: () => void;
  onMore: () => void;
}

/** What was found, and words for when nothing was. */
export function Hits({ found, query, at, list, onKeyDown, onPoint, onOpen, onAgain, onMore }: HitsProps) {
  const items = 'items' in found ? found.items : [];
  return (
    <>
      <p class="sr" role="status">
        {found.status === 'found' && countText(items.length, found.next !== null)}
      </p>
      {found.status === 'idle' && <HowTo />}
      {found.status === 'wordless' && (
        <div class="empty">
          <h2>There is no word in it</h2>
          <p>Signs and emoji cannot be searched for. Type a word, or its beginning.</p>
        </div>
      )}
      {found.status === 'failed' && (
        <ErrorNotice title="The search did not work" text={found.error} onAgain={onAgain} />
      )}
      {found.status === 'found' && items.length === 0 && (
        <div class="empty">
          <h2>Nothing holds all of these words</h2>
          <p>Try fewer or other words, or take the filters away.</p>
        </div>
      )}
      <div
        class={found.status === 'asking' ? 'hits is-old' : 'hits'}
        id="hits"
        ref={list}
        role="listbox"
        aria-label="What was found"
        hidden={items.length === 0}
        onKeyDown={onKeyDown}
      >
        {items.map((item, n) => (
          <Hit
            key={item.id}
            id={`hit-${item.id}`}
            item={item}
            query={query}
            isHere={n === at}
            onPoint={() => onPoint(n)}
            onOpen={() => onOpen(item.id)}
          />
        ))}
      </div>
      {found.status === 'found' && found.next !== null && (
        <button class="btn more-hits" type="button" onClick={onMore}>
          Show more
        </button>
      )}
    </>
  );
}

function countText(count: number, hasMore: boolean): string {
  if (count === 0) return 'Nothing found';
  return hasMore ? `The first ${count} are shown, there are more` : `${count} found`;
}

function HowTo() {
  return (
    <div class="empty">
      <p>
        All the words must be there, in any order. Put <kbd>"…"</kbd> around words that stand in a row. The last word
        may be the beginning of one.
      </p>
    </div>
  );
}
