import Search from 'icon:search';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PageBar } from '../frame/page-bar.tsx';
import { useBack } from '../frame/use-again.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { navigate, place } from '../router/location.ts';
import { Finder, type SearchQuery } from './find.ts';
import { Hits } from './hits.tsx';
import { readSearch, searchAddress } from './search-address.ts';
import { SearchFilters } from './search-filters.tsx';

/** Finds messages, notes and to-dos by their words, as one types. What is looked for stands in the address. */
export function SearchPage() {
  const finder = useMemo(() => new Finder(), []);
  const asked = readSearch(place.value.query);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    field.current?.focus();
    finder.ask(asked, { isNow: true });
    return () => finder.close();
  }, []);
  useBack(() => finder.again());
  useShortcuts([{ keys: '/', does: 'Search', run: () => field.current?.select() }]);
  const look = (query: SearchQuery) => {
    setAt(0);
    navigate(searchAddress(query), { replace: true });
    finder.ask(query);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const hits = [...(results.current?.querySelectorAll<HTMLAnchorElement>('a.hit') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === 1 && at === hits.length - 1 && finder.more()) {
      // The next press goes on in them.
    } else if (step !== undefined && hits.length > 0) {
      const next = (at + step + hits.length) % hits.length;
      setAt(next);
      hits[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.isComposing) hits[at]?.click();
    else return;
    event.preventDefault();
  };
  const found = finder.found.value;
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
              onKeyDown={onKeyDown}
            />
          </div>
          <SearchFilters asked={asked} items={'items' in found ? found.items : []} onChange={look} />
          <Hits
            found={found}
            query={asked.q}
            at={at}
            list={results}
            onPoint={setAt}
            onAgain={() => finder.ask(asked, { isNow: true })}
            onMore={() => finder.more()}
          />
        </search>
      </div>
    </main>
  );
}
