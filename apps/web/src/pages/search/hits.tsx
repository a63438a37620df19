import type { RefObject } from 'preact';
import { ErrorNotice } from '../../ui/page/error-notice.tsx';
import type { Found } from './find.ts';
import { Hit } from './hit.tsx';

interface HitsProps {
  found: Found;
  query: string;
  hasFilters: boolean;
  /** The index of the selected result. */
  at: number;
  list: RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  onPoint: (at: number) => void;
  onOpen: (id: string) => void;
  onRetry: () => void;
  onMore: () => void;
}

/** The search results, or a message if there are none. */
export function Hits({ found, query, hasFilters, at, list, onKeyDown, onPoint, onOpen, onRetry, onMore }: HitsProps) {
  const items = 'items' in found ? found.items : [];
  return (
    <>
      <p class="sr" role="status">
        {found.status === 'found' && countText(items.length, found.next !== null)}
      </p>
      {found.status === 'idle' && <HowTo />}
      {found.status === 'unsearchable' && (
        <div class="empty">
          <h2>Enter a word to search</h2>
          <p>Punctuation and emoji alone can't be searched.</p>
        </div>
      )}
      {found.status === 'failed' && <ErrorNotice title="Search failed" text={found.error} onRetry={onRetry} />}
      {found.status === 'found' && items.length === 0 && (
        <div class="empty">
          <h2>No results</h2>
          <p>{hasFilters ? 'Try fewer or different words, or clear the filters.' : 'Try fewer or different words.'}</p>
        </div>
      )}
      <div
        class={found.status === 'searching' ? 'hits is-old' : 'hits'}
        id="hits"
        ref={list}
        role="listbox"
        aria-label="Search results"
        hidden={items.length === 0}
        onKeyDown={onKeyDown}
      >
        {items.map((item, n) => (
          <Hit
            key={item.id}
            id={`hit-${item.id}`}
            item={item}
            query={query}
            isCurrent={n === at}
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
  if (count === 0) return 'No results';
  return hasMore ? `Showing the first ${count} results` : `${count} ${count === 1 ? 'result' : 'results'}`;
}

function HowTo() {
  return (
    <div class="empty">
      <p>
        Finds posts with all your words. Use <kbd>"quotes"</kbd> for an exact phrase.
      </p>
    </div>
  );
}
