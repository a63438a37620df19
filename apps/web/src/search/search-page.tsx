import Search from 'icon:search';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PageBar } from '../frame/page-bar.tsx';
import { useBack } from '../frame/use-again.ts';
import { saveSpot, spotOf } from '../hub/saved-spots.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { navigate, place } from '../router/location.ts';
import { Finder, type SearchQuery } from './find.ts';
import { Hits } from './hits.tsx';
import { readSearch, searchAddress } from './search-address.ts';
import { SearchFilters } from './search-filters.tsx';

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds messages, notes and to-dos by their words, as one types. What is looked for stands in the address. */
export function SearchPage() {
  const finder = useMemo(() => new Finder(), []);
  const asked = readSearch(place.value.query);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    field.current?.focus();
    // By now somebody may have typed already.
    finder.ask(readSearch(place.peek().query), { isNow: true });
    return () => finder.close();
  }, []);
  useBack(() => finder.again());
  // Whoever comes back from what was found finds it chosen, where it stood.
  const opened = useRef(spotOf(place.peek().key));
  const found = finder.found.value;
  useLayoutEffect(() => {
    const { current } = opened;
    if (found.status !== 'found' || typeof current !== 'object') return;
    opened.current = undefined;
    const openedAt = found.items.findIndex(({ id }) => id === current.id);
    if (openedAt <= 0) return;
    setAt(openedAt);
    hits()[openedAt]?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  useShortcuts([
    { keys: '/', does: 'Search', run: () => enterField() },
    { keys: 'j', does: 'Next', run: () => step(1)?.focus() },
    { keys: 'k', does: 'Previous', run: () => step(-1)?.focus() },
  ]);
  const look = (query: SearchQuery) => {
    setAt(0);
    navigate(searchAddress(query), { replace: true });
    finder.ask(query);
  };
  const hits = () => [...(results.current?.querySelectorAll<HTMLAnchorElement>('a.hit') ?? [])];
  /** Chooses the next or the previous one, if there is any, and returns it. */
  const step = (by: 1 | -1): HTMLAnchorElement | undefined => {
    const all = hits();
    // The next press goes on in them.
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
  /** For what was found: there, keys are shortcuts. */
  const leaveField = () => {
    const chosen = hits()[at];
    if (chosen) chosen.focus();
    else field.current?.blur();
  };
  const hit = 'items' in found ? found.items[at] : undefined;
  return (
    <main class="main" id="main">
      <PageBar title="Search" />
      <div class="scroll search">
        <search class="search-in">
          <div class="search-box">
            <Search />
            <input
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
              placeholder="Words of a message, note or to-do"
              value={asked.q}
              onInput={({ currentTarget }) => look({ ...asked, q: currentTarget.value })}
              onKeyDown={onKeyInField}
            />
          </div>
          <SearchFilters asked={asked} items={'items' in found ? found.items : []} onChange={look} />
          <Hits
            found={found}
            query={asked.q}
            at={at}
            list={results}
            onKeyDown={onKeyInHits}
            onPoint={setAt}
            onOpen={(id) => saveSpot(place.peek().key, { id, top: 0 })}
            onAgain={() => finder.ask(asked, { isNow: true })}
            onMore={() => finder.more()}
          />
        </search>
      </div>
    </main>
  );
}
