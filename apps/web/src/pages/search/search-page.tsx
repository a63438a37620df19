import type { Item } from '@hub/contract';
import { MessageSquare, Search, SquareCheckBig, StickyNote } from 'icons';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { countOf, countText } from '../../lib/count-text.ts';
import { itemUrl, kindLabel } from '../../lib/items.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { textWithTitle } from '../../lib/posts/plain-text.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { When } from '../../ui/items/when.tsx';
import { EmptyState, ErrorNotice, useOnReconnect } from '../../ui/page/load-states.tsx';
import { Page } from '../../ui/page/navigation.tsx';
import { saveSpot, spotOf } from '../feed/feed-scroll.ts';
import { hitLine } from './hit-line.ts';
import { SearchFilters } from './search-filters.tsx';
import { Finder, type SearchQuery, searchFilters, searchUrl } from './search-query.ts';

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Searches messages, notes and to-dos while the user types. The query is kept in the URL. */
export function SearchPage() {
  const finder = useMemo(() => new Finder(), []);
  const query = searchFilters.read(route.value.query);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => () => finder.close(), []);
  const isFirst = useRef(true);
  useEffect(() => {
    setAt(0);
    // A link in the sidebar and the palette have led here.
    if (isFirst.current || !document.activeElement?.closest('#main')) field.current?.focus();
    // The user may have typed more already.
    finder.ask(searchFilters.read(route.peek().query), { isNow: isFirst.current });
    isFirst.current = false;
  }, [searchUrl(query)]);
  useOnReconnect(() => finder.refresh());
  // Returning from a result selects it again at its position.
  const opened = useRef(spotOf(route.peek().key));
  const result = finder.results.value;
  useLayoutEffect(() => {
    const { current } = opened;
    if (result.status !== 'ready' || typeof current !== 'object') return;
    opened.current = undefined;
    const openedAt = result.items.findIndex(({ id }) => id === current.id);
    if (openedAt === -1) return;
    setAt(openedAt);
    results.current?.closest('.scroll')?.scrollBy(0, topOfHit(current.id) - current.top);
  }, [result]);
  useShortcuts({ '/': () => enterField(), j: () => step(1)?.focus(), k: () => step(-1)?.focus() });
  const look = (next: SearchQuery) => navigate(searchUrl(next), { replace: true });
  const hits = () => [...(results.current?.querySelectorAll<HTMLAnchorElement>('a.hit') ?? [])];
  /** Selects the next or previous result, if there is one, and returns it. */
  const step = (by: 1 | -1): HTMLAnchorElement | undefined => {
    const all = hits();
    // The next key press moves into the loaded results.
    if (by === 1 && at === all.length - 1 && finder.more()) return all[at];
    if (all.length === 0) return undefined;
    const next = (at + by + all.length) % all.length;
    setAt(next);
    all[next]?.scrollIntoView({ block: 'nearest' });
    return all[next];
  };
  const onKeyInField = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (event.isComposing) return;
    if (by !== undefined && hits().length > 0) step(by);
    else if (event.key === 'Enter') hits()[at]?.click();
    else if (event.key === 'Escape') leaveField();
    else return;
    event.preventDefault();
  };
  const onKeyInHits = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    step(by)?.focus();
    event.preventDefault();
  };
  const enterField = () => {
    field.current?.focus();
    field.current?.select();
  };
  /** Focuses the results, where keys are shortcuts. */
  const leaveField = () => {
    const heading = document.querySelector<HTMLElement>('#main h1');
    if (heading) heading.tabIndex = -1;
    (hits()[at] ?? heading)?.focus();
  };
  const items = 'items' in result ? result.items : [];
  const hit = items[at];
  return (
    <Page title="Search">
      <div class="scroll search">
        <search class="search-in">
          <div class="search-box">
            <Search />
            <input
              class="grow"
              ref={field}
              type="text"
              enterkeyhint="search"
              role="combobox"
              aria-label="Search"
              aria-expanded={hit !== undefined}
              aria-controls="hits"
              aria-activedescendant={hit && `hit-${hit.id}`}
              aria-autocomplete="list"
              autocomplete="off"
              spellcheck={false}
              placeholder="Search messages, notes and to-dos"
              value={query.q}
              onInput={({ currentTarget }) => look({ ...query, q: currentTarget.value })}
              onKeyDown={onKeyInField}
            />
          </div>
          <SearchFilters query={query} items={items} onChange={look} />
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
              text={
                searchFilters.isSet({ ...query, q: '' })
                  ? 'Try fewer or different words, or clear the filters.'
                  : 'Try fewer or different words.'
              }
            />
          )}
          <div
            class={result.status === 'searching' ? 'hits is-old' : 'hits'}
            id="hits"
            ref={results}
            role="listbox"
            aria-label="Search results"
            hidden={items.length === 0}
            onKeyDown={onKeyInHits}
          >
            {items.map((item, n) => (
              <Hit
                key={item.id}
                id={`hit-${item.id}`}
                item={item}
                query={query.q}
                isCurrent={n === at}
                onPoint={() => setAt(n)}
                onOpen={() => saveSpot(route.peek().key, { id: item.id, top: topOfHit(item.id) })}
              />
            ))}
          </div>
          {result.status === 'failed' && (
            <ErrorNotice
              title={result.next === null ? 'Search failed' : 'Couldn’t load more results'}
              text={result.error}
              onRetry={() => (result.next === null ? finder.ask(query, { isNow: true }) : finder.more())}
            />
          )}
          {result.status === 'ready' && result.next !== null && (
            <Button variant="more-hits" label="Show more" onClick={() => finder.more()} />
          )}
        </search>
      </div>
    </Page>
  );
}

function topOfHit(id: string): number {
  return document.getElementById(`hit-${id}`)?.getBoundingClientRect().top ?? 0;
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

/** Everything that is searched: a match in the name of a file is shown like one in the text. */
const textOf = (item: Item): string =>
  [textWithTitle(item), ...(item.files ?? []).map(({ name }) => name)].join(' ').trim();

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
        {hitLine(textOf(item), query).map(({ text, isHit }, n) => (isHit ? <mark key={n}>{text}</mark> : text))}
      </span>
      <When at={item.createdAt} />
      <small>
        {kindLabel(item)} by {authorText(item)}, {hubs.names.value.get(item.hubId)}
        {state}
      </small>
    </a>
  );
}
