import type { Item } from '@hub/contract';
import { CalendarDays, CircleDot, Shapes, User } from 'icons';
import { useRef } from 'preact/hooks';
import { useResource } from '../../data/live/use-resource.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { allPages } from '../../data/request.ts';
import { byName } from '../../lib/names.ts';
import { KeyChoice } from '../../ui/items/key-choice.tsx';
import { Choice } from '../../ui/menu.tsx';
import { findKind, SEARCH_KINDS, type SearchQuery } from './search-query.ts';

interface SearchFiltersProps {
  query: SearchQuery;
  /** The results. The author filter offers their authors. */
  items: readonly Item[];
  onChange: (query: SearchQuery) => void;
}

/** The search filters: Hub, kind, author, key and time. */
export function SearchFilters({ query, items, onChange }: SearchFiltersProps) {
  const { hubs, me } = useWorkspace();
  const choose = (change: Partial<SearchQuery>) => onChange({ ...query, ...change });
  const withName = useNames(items, { myId: me.value.id, chosenId: query.authorId });
  const authors = authorsIn(items, { me: me.value, chosenId: query.authorId }).map(withName);
  return (
    <div class="toolbar" role="group" aria-label="Filters">
      <Choice
        label="Hub"
        icon={<CircleDot />}
        all="All Hubs"
        chosen={query.hubId}
        options={optionsOf(hubs.mine.value)}
        unknown={(query.hubId && hubs.find(query.hubId)?.name) ?? 'Unknown Hub'}
        onChoose={(hubId) => choose({ hubId, keyId: null })}
      />
      <Choice
        label="Kind"
        icon={<Shapes />}
        all="All kinds"
        chosen={findKind(query)?.id ?? null}
        options={optionsOf(SEARCH_KINDS)}
        onChoose={(id) => {
          const choice = SEARCH_KINDS.find((each) => each.id === id);
          choose({ kind: choice?.kind ?? null, status: choice?.status ?? null });
        }}
      />
      <Choice
        label="Author"
        icon={<User />}
        all="Anyone"
        chosen={query.authorId}
        options={optionsOf(authors)}
        unknown="Unknown member"
        onChoose={(authorId) => choose({ authorId })}
      />
      <TimeChoice chosen={query.lastDays} onChoose={(lastDays) => choose({ lastDays })} />
      <KeyChoice hubId={query.hubId} chosen={query.keyId} items={items} onChoose={(keyId) => choose({ keyId })} />
    </div>
  );
}

/**
 * Returns a function that names a selected author. If it is not in the current results, the name comes from earlier
 * ones, or from the server.
 */
function useNames(items: readonly Item[], { myId, chosenId }: { myId: string; chosenId: string | null }) {
  const names = useRef(new Map<string, string>()).current;
  const { value: selected } = useResource(
    async (signal) => {
      if (chosenId === null || chosenId === myId || names.has(chosenId)) return null;
      return (await allPages('GET /users', { signal })).find(({ id }) => id === chosenId);
    },
    { key: chosenId ?? '' },
  );
  if (selected) names.set(selected.id, selected.name);
  for (const { author } of items) if (author.id !== myId) names.set(author.id, author.name);
  return ({ id, name }: { id: string; name: string }) => ({ id, name: names.get(id) ?? name });
}

function optionsOf(choices: readonly { id: string; name: string }[]) {
  return choices.map(({ id, name }) => ({ value: id, label: name }));
}

interface Author {
  id: string;
  name: string;
}

/** Returns the user, then the authors of the results sorted by name. The chosen author is always included. */
function authorsIn(
  items: readonly Pick<Item, 'author'>[],
  { me, chosenId }: { me: Author; chosenId: string | null },
): Author[] {
  const authors = new Map<string, Author>();
  if (chosenId !== null && chosenId !== me.id) authors.set(chosenId, { id: chosenId, name: 'Unknown member' });
  for (const { author } of items) if (author.id !== me.id) authors.set(author.id, { id: author.id, name: author.name });
  const others = [...authors.values()].sort(byName);
  return [{ id: me.id, name: 'Me' }, ...others];
}

const PRESETS = [
  { last: 1, name: 'Today' },
  { last: 7, name: 'Last 7 days' },
  { last: 30, name: 'Last 30 days' },
  { last: 365, name: 'Last 365 days' },
];

/** The filter by creation time: the last few days. */
function TimeChoice({ chosen, onChoose }: { chosen: number | null; onChoose: (lastDays: number | null) => void }) {
  return (
    <Choice
      label="Time"
      icon={<CalendarDays />}
      all="Any time"
      chosen={chosen === null ? null : String(chosen)}
      options={PRESETS.map(({ last, name }) => ({ value: String(last), label: name }))}
      unknown={`Last ${chosen} days`}
      onChoose={(last) => onChoose(last === null ? null : Number(last))}
    />
  );
}
