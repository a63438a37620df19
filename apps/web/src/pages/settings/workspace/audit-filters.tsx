import { Activity, CircleDot, KeyRound, User as UserIcon, X } from 'icons';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { byName } from '../../../lib/names.ts';
import { localDay } from '../../../lib/time/local-day.ts';
import { now } from '../../../lib/time/now.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/menu.tsx';
import { ACTIONS } from './audit-actions.ts';
import { type AuditFilter, isFiltering, NO_USER } from './audit-filter.ts';

/** Filters by actor, action, Hub, key and dates. */
export function AuditFilters({ filter, onChange }: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
  const { hubs } = useWorkspace();
  const { hubId } = filter;
  // The newest 100, which is as many as a menu can usefully show. Without names, the filter still works and shows ids.
  const users = useResource((signal) => request('GET /users', { query: { limit: 100 }, signal })).value?.items ?? [];
  const loadKeys = (signal: AbortSignal) => request('GET /keys', { query: { limit: 100, hubId }, signal });
  const keys = useResource(loadKeys, { key: hubId ?? '' }).value?.items ?? [];
  const set = (changes: Partial<AuditFilter>) => onChange({ ...filter, ...changes });
  const who = [
    ...users.toSorted(byName).map(({ id, name }) => ({ value: id, label: name })),
    ...Object.entries(NO_USER).map(([value, label]) => ({ value, label })),
  ];
  const hubOptions = hubs.all.value.toSorted(byName).map(({ id, name }) => ({ value: id, label: name }));
  const keyOptions = keys.map(({ id, name, hubName, hint }) => ({
    value: id,
    label: `${name} in ${hubName}, ${hint.slice(-5)}`,
  }));
  const choices = [
    {
      label: 'Who',
      icon: UserIcon,
      all: 'Anyone',
      field: 'who',
      options: grouped(who, ({ value }) => value in NO_USER),
    },
    { label: 'What', icon: Activity, all: 'Anything', field: 'action', options: ACTION_OPTIONS },
    { label: 'Hub', icon: CircleDot, all: 'All Hubs', field: 'hubId', options: grouped(hubOptions) },
    { label: 'Key', icon: KeyRound, all: 'All keys', field: 'targetId', options: grouped(keyOptions) },
  ] as const;
  return (
    <div class="filters" role="group" aria-label="Filters">
      {choices.map(({ label, icon: Icon, all, field, options }) => (
        <Choice
          key={field}
          label={label}
          icon={<Icon />}
          all={all}
          chosen={filter[field]}
          options={options}
          // A key belongs to one Hub, so choosing a Hub clears the key.
          onChoose={(id) => set({ ...(field === 'hubId' && { targetId: null }), [field]: id })}
        />
      ))}
      <Day label="From" value={filter.from} onChange={(from) => set({ from })} />
      <Day label="To" value={filter.to} onChange={(to) => set({ to })} />
      {isFiltering(filter) && (
        <Button
          variant="is-bare is-small"
          onClick={() => onChange({ who: null, action: null, hubId: null, targetId: null, from: null, to: null })}
        >
          <X /> Clear filters{' '}
        </Button>
      )}
    </div>
  );
}

interface Option {
  value: string;
  label: string;
}

/** Separates the first option, and each one whose group differs from that of the option above. */
function grouped(options: readonly Option[], groupOf: (option: Option) => unknown = () => null) {
  const groups = options.map(groupOf);
  return options.map((option, n) => ({ ...option, isNewGroup: n === 0 || groups[n] !== groups[n - 1] }));
}

const ACTION_OPTIONS = grouped(
  Object.entries(ACTIONS).map(([value, { label }]) => ({ value, label })),
  ({ value }) => value.split('.')[0],
);

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
        max={localDay(now.value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      />
    </label>
  );
}
