import type { Item } from '@hub/contract';
import { MessageSquare, SquareCheckBig, StickyNote } from 'icons';
import type { RefObject } from 'preact';
import { authorText } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { countOf, countText } from '../../lib/count-text.ts';
import { itemUrl, kindLabel } from '../../lib/items.ts';
import { textWithTitle } from '../../lib/posts/plain-text.ts';
import { fullTime, shortTime } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { ErrorNotice } from '../../ui/page/load-states.tsx';
import { hitLine } from './hit-line.ts';
import type { SearchResults } from './search-query.ts';

interface HitsProps {
  result: SearchResults;
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

export function Hits({ result, query, hasFilters, at, list, onKeyDown, onPoint, onOpen, onRetry, onMore }: HitsProps) {
  const items = 'items' in result ? result.items : [];
  return (
    <>
      <p class="sr" role="status">
        {result.status === 'ready' && resultsText(items.length, result.next !== null)}
      </p>
      {result.status === 'idle' && (
        <EmptyState
          title="Search all your Hubs"
          text={
            <>
              Use <kbd>"quotes"</kbd> for an exact phrase.
            </>
          }
        />
      )}
      {result.status === 'unsearchable' && (
        <EmptyState
          title={result.reason === undefined ? 'Enter a word to search' : 'Change the search'}
          text={result.reason ?? 'Punctuation and emoji alone can’t be searched.'}
        />
      )}
      {result.status === 'ready' && items.length === 0 && (
        <EmptyState
          title="No results"
          text={hasFilters ? 'Try fewer or different words, or clear the filters.' : 'Try fewer or different words.'}
        />
      )}
      <div
        class={result.status === 'searching' ? 'hits is-old' : 'hits'}
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
      {result.status === 'failed' && (
        <ErrorNotice
          title={result.next === null ? 'Search failed' : 'Couldn’t load more results'}
          text={result.error}
          onRetry={result.next === null ? onRetry : onMore}
        />
      )}
      {result.status === 'ready' && result.next !== null && (
        <Button variant="more-hits" label="Show more" onClick={onMore} />
      )}
    </>
  );
}

function resultsText(count: number, hasMore: boolean): string {
  return hasMore ? `Showing the first ${countText(count, 'result')}` : countOf(count, 'result');
}

const ICONS = { message: MessageSquare, note: StickyNote, todo: SquareCheckBig };

interface HitProps {
  item: Item;
  query: string;
  id: string;
  isCurrent: boolean;
  onPoint: () => void;
  onOpen: () => void;
}

/** A search result: its kind, the matching text, its Hub and its time. */
function Hit({ item, query, id, isCurrent, onPoint, onOpen }: HitProps) {
  const { hubs } = useWorkspace();
  const Icon = ICONS[item.kind];
  const state = item.kind === 'todo' && item.status === 'done' ? ', done' : '';
  return (
    <a
      class={isCurrent ? 'hit is-current' : 'hit'}
      id={id}
      href={itemUrl(item)}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      onMouseMove={onPoint}
      onClick={onOpen}
    >
      <Icon />
      <span class="line">
        {hitLine(textWithTitle(item), query).map(({ text, isHit }, n) => (isHit ? <mark key={n}>{text}</mark> : text))}
      </span>
      <time dateTime={item.createdAt} title={fullTime(item.createdAt)}>
        {shortTime(item.createdAt, now.value)}
      </time>
      <small>
        {kindLabel(item)} by {authorText(item)}, {hubs.names.value.get(item.hubId)}
        {state}
      </small>
    </a>
  );
}
