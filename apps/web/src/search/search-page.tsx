import CircleDot from 'icon:circle-dot';
import Search from 'icon:search';
import Shapes from 'icon:shapes';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PageBar } from '../frame/page-bar.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { navigate, place } from '../router/location.ts';
import { Choice } from '../ui/choice.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { Finder, type SearchQuery } from './find.ts';
import { Hits } from './hits.tsx';
import { KIND_CHOICES } from './kind-choices.ts';
import { readSearch, searchAddress } from './search-address.ts';

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
  useShortcuts([{ keys: '/', does: 'Search', run: () => field.current?.select() }]);
  const look = (query: SearchQuery) => {
    setAt(0);
    navigate(searchAddress(query), { replace: true });
    finder.ask(query);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const hits = [...(results.current?.querySelectorAll<HTMLAnchorElement>('a.hit') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
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
          <SearchFilters asked={asked} onChange={look} />
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

function SearchFilters({ asked, onChange }: { asked: SearchQuery; onChange: (query: SearchQuery) => void }) {
  const { hubs } = useWorkspace();
  return (
    <div class="toolbar" role="group" aria-label="Filters">
      <Choice
        label="Hub"
        icon={<CircleDot />}
        all="All Hubs"
        chosen={asked.hubId === null ? null : (hubs.find(asked.hubId)?.name ?? 'Another Hub')}
        items={() => [
          { label: 'All Hubs', isChosen: asked.hubId === null, run: () => onChange({ ...asked, hubId: null }) },
          ...hubs.mine.peek().map(({ id, name }) => ({
            label: name,
            isChosen: asked.hubId === id,
            run: () => onChange({ ...asked, hubId: id }),
          })),
        ]}
      />
      <Choice
        label="Kind"
        icon={<Shapes />}
        all="Every kind"
        chosen={KIND_CHOICES.find(({ kind }) => kind === asked.kind)?.label ?? null}
        items={() => [
          { label: 'Every kind', isChosen: asked.kind === null, run: () => onChange({ ...asked, kind: null }) },
          ...KIND_CHOICES.map(({ kind, label }) => ({
            label,
            isChosen: asked.kind === kind,
            run: () => onChange({ ...asked, kind }),
          })),
        ]}
      />
    </div>
  );
}
