import type { Item } from '@hub/contract';
import { CalendarDays, Shapes, User } from 'icons';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../data/live/workspace.ts';
import { allPages } from '../../data/request.ts';
import { byName } from '../../lib/names.ts';
import { shortDate } from '../../lib/time/dates.ts';
import { FormDialog, TextField, useText } from '../../ui/forms/form.tsx';
import { HubChoice, KeyChoice } from '../../ui/items/source-choices.tsx';
import { Choice, ChoiceOpener } from '../../ui/menu.tsx';
import { SEARCH_KINDS, type SearchQuery, type SearchTime } from './search-query.ts';

interface SearchFiltersProps {
  query: SearchQuery;
  /** The results. The author filter offers their authors. */
  items: readonly Item[];
  onChange: (query: SearchQuery) => void;
}

export function SearchFilters({ query, items, onChange }: SearchFiltersProps) {
  const { me } = useWorkspace();
  const choose = (change: Partial<SearchQuery>) => onChange({ ...query, ...change });
  const withName = useNames(items, { myId: me.value.id, chosenId: query.authorId });
  const authors = authorsIn(items, { me: me.value, chosenId: query.authorId }).map(withName);
  return (
    <div class="toolbar" role="group" aria-label="Filters">
      <HubChoice chosen={query.hubId} onChoose={(hubId) => choose({ hubId, keyId: null })} />
      <Choice
        label="Kind"
        icon={<Shapes />}
        all="All kinds"
        chosen={query.kindId}
        options={optionsOf(SEARCH_KINDS)}
        onChoose={(kindId) => choose({ kindId })}
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
      <TimeChoice icon={<CalendarDays />} chosen={query.time} onChoose={(time) => choose({ time })} />
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

interface TimeChoiceProps {
  icon: ComponentChildren;
  chosen: SearchTime | null;
  onChoose: (time: SearchTime | null) => void;
}

/** The filter by creation time: the last few days or a custom range. */
function TimeChoice({ icon, chosen, onChoose }: TimeChoiceProps) {
  const [isNaming, setNaming] = useState(false);
  const last = chosen !== null && 'last' in chosen ? chosen.last : null;
  return (
    <>
      <ChoiceOpener
        label="Time"
        icon={icon}
        all="Any time"
        chosen={chosen && nameOf(chosen)}
        items={() => [
          { label: 'Any time', isChosen: chosen === null, run: () => onChoose(null) },
          ...PRESETS.map((preset) => ({
            label: preset.name,
            isChosen: preset.last === last,
            run: () => onChoose({ last: preset.last }),
          })),
          {
            label: 'Custom range',
            isChosen: chosen !== null && last === null,
            isNewGroup: true,
            run: () => setNaming(true),
          },
        ]}
      />
      {isNaming && <DaysDialog chosen={chosen} onChoose={onChoose} onClose={() => setNaming(false)} />}
    </>
  );
}

function DaysDialog(props: { chosen: SearchTime | null; onChoose: (time: SearchTime) => void; onClose: () => void }) {
  const { chosen, onChoose, onClose } = props;
  const days = chosen !== null && 'from' in chosen ? chosen : { from: '', to: '' };
  const from = useText(days.from);
  const to = useText(days.to);
  return (
    <FormDialog
      title="Custom range"
      description="Includes both days. Leave one empty for an open range."
      submitLabel="Apply"
      isDisabled={from.value === '' && to.value === ''}
      onSubmit={async () => {
        const [first, last] = [from.value, to.value];
        // Swapped days mean the same range.
        onChoose(last !== '' && first > last ? { from: last, to: first } : { from: first, to: last });
        onClose();
      }}
      onClose={onClose}
    >
      <div class="day-span">
        <TextField label="From" type="date" {...from} />
        <TextField label="To" type="date" {...to} />
      </div>
    </FormDialog>
  );
}

function nameOf(time: SearchTime): string {
  if ('last' in time) return PRESETS.find(({ last }) => last === time.last)?.name ?? `Last ${time.last} days`;
  const { from, to } = time;
  if (from === to) return shortDay(from);
  if (from === '') return `Until ${shortDay(to)}`;
  return to === '' ? `Since ${shortDay(from)}` : `${shortDay(from)} – ${shortDay(to)}`;
}

function shortDay(day: string): string {
  return shortDate(`${day}T12:00:00`);
}
