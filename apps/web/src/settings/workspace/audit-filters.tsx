import Activity from 'icon:activity';
import CircleDot from 'icon:circle-dot';
import KeyRound from 'icon:key-round';
import UserIcon from 'icon:user';
import X from 'icon:x';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { now } from '../../time/now.ts';
import { Choice } from '../../ui/choice.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { dayText } from '../issue-key/key-lifetime.ts';
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
  return (
    <div class="filters" role="group" aria-label="Filters">
      <Choice
        label="Who"
        icon={<UserIcon size="s" />}
        all="Anyone"
        chosen={nameIn(who, filter.who)}
        items={() => items(who, filter.who, 'Anyone', (id) => set({ who: id }))}
      />
      <Choice
        label="What"
        icon={<Activity size="s" />}
        all="Anything"
        chosen={nameIn(ACTION_OPTIONS, filter.action)}
        items={() => items(ACTION_OPTIONS, filter.action, 'Anything', (action) => set({ action }))}
      />
      <Choice
        label="Hub"
        icon={<CircleDot size="s" />}
        all="All Hubs"
        chosen={nameIn(hubOptions, filter.hubId)}
        items={() => items(hubOptions, filter.hubId, 'All Hubs', (hubId) => set({ hubId, targetId: null }))}
      />
      <Choice
        label="Key"
        icon={<KeyRound size="s" />}
        all="Any key"
        chosen={nameIn(keyOptions, filter.targetId)}
        items={() => items(keyOptions, filter.targetId, 'Any key', (targetId) => set({ targetId }))}
      />
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
