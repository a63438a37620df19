import Activity from 'icon:activity';
import CircleDot from 'icon:circle-dot';
import KeyRound from 'icon:key-round';
import UserIcon from 'icon:user';
import X from 'icon:x';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { dayText } from '../../../lib/keys/key-lifetime.ts';
import { now } from '../../../lib/time/now.ts';
import { Choice } from '../../../ui/choice.tsx';
import type { MenuItem } from '../../../ui/menu.tsx';
import { ACTIONS } from './audit-actions.ts';
import { type AuditFilter, isFiltering, NO_USER } from './audit-filter.ts';

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}

interface Option {
  id: string;
  name: string;
  /** Whether the option starts a new group in the menu. */
  isApart?: boolean;
}

/** Filters by actor, action, Hub, key and dates. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { hubs } = useWorkspace();
  const { hubId } = filter;
  // The newest 100, which is as many as a menu can usefully show. Without names, the filter still works and shows ids.
  const users = useResource((signal) => request('GET /people', { query: { limit: 100 }, signal })).value?.items ?? [];
  const loadKeys = (signal: AbortSignal) => request('GET /keys', { query: { limit: 100, hubId }, signal });
  const keys = useResource(loadKeys, { key: hubId ?? '' }).value?.items ?? [];
  const set = (changes: Partial<AuditFilter>) => onChange({ ...filter, ...changes });
  const who: Option[] = [
    ...users.map(({ id, name }) => ({ id, name })).toSorted((one, other) => one.name.localeCompare(other.name)),
    ...Object.entries(NO_USER).map(([id, name], n) => ({ id, name, isApart: n === 0 })),
  ];
  const hubOptions = hubs.all.value.map(({ id, name }) => ({ id, name }));
  const keyOptions = keys.map(({ id, name, hubName, hint }) => ({
    id,
    name: `${name} in ${hubName}, ${hint.slice(-5)}`,
  }));
  const choices = [
    { label: 'Who', icon: UserIcon, all: 'Anyone', field: 'who', options: who },
    { label: 'What', icon: Activity, all: 'Anything', field: 'action', options: ACTION_OPTIONS },
    { label: 'Hub', icon: CircleDot, all: 'All Hubs', field: 'hubId', options: hubOptions },
    { label: 'Key', icon: KeyRound, all: 'Any key', field: 'targetId', options: keyOptions },
  ] as const;
  return (
    <div class="filters" role="group" aria-label="Filters">
      {choices.map(({ label, icon: Icon, all, field, options }) => (
        <Choice
          key={field}
          label={label}
          icon={<Icon size="s" />}
          all={all}
          chosen={nameIn(options, filter[field])}
          items={() =>
            // A key belongs to one Hub, so choosing a Hub clears the key.
            items(options, filter[field], all, (id) =>
              set({ ...(field === 'hubId' && { targetId: null }), [field]: id }),
            )
          }
        />
      ))}
      <Day label="From" value={filter.from} onChange={(from) => set({ from })} />
      <Day label="To" value={filter.to} onChange={(to) => set({ to })} />
      {isFiltering(filter) && (
        <button
          class="btn is-bare is-small"
          type="button"
          onClick={() => onChange({ who: null, action: null, hubId: null, targetId: null, from: null, to: null })}
        >
          <X size="s" /> Clear filters{' '}
        </button>
      )}
    </div>
  );
}

const ACTION_OPTIONS: readonly Option[] = Object.entries(ACTIONS).map(([id, { label }], n, all) => ({
  id,
  name: label,
  isApart: n > 0 && id.split('.')[0] !== all[n - 1]?.[0].split('.')[0],
}));

function nameIn(options: readonly Option[], id: string | null): string | null {
  return id === null ? null : (options.find((option) => option.id === id)?.name ?? id);
}

function items(
  options: readonly Option[],
  chosen: string | null,
  all: string,
  choose: (id: string | null) => void,
): MenuItem[] {
  return [
    { label: all, isChosen: chosen === null, run: () => choose(null) },
    ...options.map(({ id, name, isApart = false }, n) => ({
      label: name,
      isChosen: id === chosen,
      isNewGroup: n === 0 || isApart,
      run: () => choose(id),
    })),
  ];
}

interface DayProps {
  label: string;
  value: string | null;
  onChange: (day: string | null) => void;
}

function Day({ label, value, onChange }: DayProps) {
  return (
    <label class={value === null ? 'pill is-day' : 'pill is-day is-set'}>
      {label}
      <input
        type="date"
        value={value ?? ''}
        max={dayText(now.value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      />
    </label>
  );
}
