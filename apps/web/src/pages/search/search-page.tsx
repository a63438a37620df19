import { Search } from 'icons';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { useOnReconnect } from '../../ui/page/load-states.tsx';
import { PageBar } from '../../ui/page/navigation.tsx';
import { saveSpot, spotOf } from '../feed/feed-scroll.ts';
import { Hits } from './hits.tsx';
import { SearchFilters } from './search-filters.tsx';
import { Finder, readSearch, type SearchQuery, searchUrl } from './search-query.ts';

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Searches messages, notes and to-dos while the user types. The query is kept in the URL. */
export function SearchPage() {
  const finder = useMemo(() => new Finder(), []);
  const query = readSearch(route.value.query);
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
    finder.ask(readSearch(route.peek().query), { isNow: isFirst.current });
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
  useShortcuts([
    { keys: '/', does: 'Search', run: () => enterField() },
    { keys: 'j', does: 'Next', run: () => step(1)?.focus() },
    { keys: 'k', does: 'Previous', run: () => step(-1)?.focus() },
  ]);
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
    const target = hits()[at];
    if (target) target.focus();
    else field.current?.blur();
  };
  const hit = 'items' in result ? result.items[at] : undefined;
  return (
    <main class="main" id="main">
      <PageBar title="Search" />
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
          <SearchFilters query={query} items={'items' in result ? result.items : []} onChange={look} />
          <Hits
            result={result}
            query={query.q}
            hasFilters={Object.values({ ...query, q: null }).some((value) => value !== null)}
            at={at}
            list={results}
            onKeyDown={onKeyInHits}
            onPoint={setAt}
            onOpen={(id) => saveSpot(route.peek().key, { id, top: topOfHit(id) })}
            onRetry={() => finder.ask(query, { isNow: true })}
            onMore={() => finder.more()}
          />
        </search>
      </div>
    </main>
  );
}

function topOfHit(id: string): number {
  return document.getElementById(`hit-${id}`)?.getBoundingClientRect().top ?? 0;
}
