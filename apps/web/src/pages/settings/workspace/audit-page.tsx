import type { AuditEntry } from '@hub/contract';
import { WORKSPACE_TOPICS } from '@hub/contract/live';
import { Activity, CircleDot, Download, KeyRound, User as UserIcon, X } from 'icons';
import { usePages } from '../../../data/live/use-pages.ts';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { loadPages, request } from '../../../data/request.ts';
import { saveText } from '../../../lib/download.ts';
import { byName } from '../../../lib/names.ts';
import { navigate, route, withQuery } from '../../../lib/router/location.ts';
import { dayAndYear, localDay, logTime } from '../../../lib/time/dates.ts';
import { fullTime, now } from '../../../lib/time/format.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { useTask } from '../../../ui/forms/form.tsx';
import { PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Table } from '../../../ui/forms/table.tsx';
import { ListEnd } from '../../../ui/items/item-rows.tsx';
import { Choice, MenuOpener } from '../../../ui/menu.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/page/load-states.tsx';
import { orToast, toast } from '../../../ui/toast.tsx';
import { ACTIONS, actionText } from './audit-actions.ts';
import {
  type AuditFilter,
  auditFilters,
  csvOf,
  exportedText,
  isBackwards,
  jsonOf,
  NO_USER,
  queryOf,
} from './audit-log.ts';

/** Distance from the end at which the next page is loaded. */
const AHEAD_PX = 800;
const PAGE = 50;
/** For more entries, use `hubctl` or the API. */
const MAX_EXPORTED = 5_000;

export function AuditPage() {
  const filter = auditFilters.read(route.value.query);
  const { pages, loadMore } = usePages(
    (before, signal) => request('GET /audit', { query: { ...queryOf(filter), before, limit: PAGE }, signal }),
    { key: JSON.stringify(filter), topics: WORKSPACE_TOPICS },
  );
  const isEmpty = pages.items.length === 0;
  const isAtEnd = pages.status === 'ready' && pages.next === null;
  const change = (next: AuditFilter) => {
    navigate(withQuery(auditFilters.write(route.peek().query, next)), { replace: true });
  };
  return (
    <PageBody
      title="Audit log"
      about="Every action: who took it, when and from where. Entries can’t be changed."
      action={<Export filter={filter} />}
    >
      <AuditFilters filter={filter} onChange={change} />
      {!isEmpty && (
        <Table
          class="audit"
          label="Audit log"
          columns={COLUMNS}
          rows={pages.items}
          keyOf={({ id }) => id}
          attributes={({ id }) => ({ 'data-entry': id })}
        />
      )}
      {isAtEnd && isEmpty && (
        <EmptyState
          title={auditFilters.isSet(filter) ? 'No matching entries' : 'No entries yet'}
          text={
            isBackwards(filter) &&
            `The start date, ${dayOf(filter.from)}, is after the end date, ${dayOf(filter.to)}. Swap them.`
          }
        />
      )}
      <ListEnd
        class="audit-end"
        aheadPx={AHEAD_PX}
        state={pages.status === 'ready' ? pages.next : null}
        onNear={loadMore}
      >
        {pages.status === 'loading' && <Loading what={isEmpty ? 'Loading' : 'Loading older entries'} />}
        {pages.status === 'failed' && <ErrorNotice text={pages.text} onRetry={loadMore} />}
        {isAtEnd && !isEmpty && <p>You’ve reached the end.</p>}
      </ListEnd>
    </PageBody>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
    at: 'time',
    cell: ({ at }) => (
      <time dateTime={at} title={fullTime(at)}>
        {logTime(at, now.value)}
      </time>
    ),
  },
  {
    title: 'Who',
    at: 'actor',
    cell: ({ actor }) => (
      <span class="actor">
        {actor.kind === 'user' && actor.id !== null && <Avatar id={actor.id} name={actor.name} kind="user" size="s" />}
        {actor.kind === 'local' || actor.kind === 'server' ? NO_USER[actor.kind] : actor.name}
      </span>
    ),
  },
  { title: 'What', at: 'action', cell: (entry) => <Action entry={entry} /> },
  { title: 'From', at: 'from', cell: ({ address }) => <span class="mono">{address ?? '–'}</span> },
];

function Action({ entry }: { entry: AuditEntry }) {
  const { hubs } = useWorkspace();
  const hub = entry.hubId === null || entry.targetId === entry.hubId ? undefined : hubs.find(entry.hubId);
  return (
    <>
      {actionText(entry, hub?.name).map((piece, n) => {
        if (typeof piece === 'string') return piece;
        if (piece.to === undefined) return <b key={n}>{piece.name}</b>;
        return (
          <a key={n} href={piece.to}>
            {piece.name}
          </a>
        );
      })}
    </>
  );
}

function dayOf(day: string | null): string {
  return dayAndYear(`${day}T00:00:00`);
}

function Export({ filter }: { filter: AuditFilter }) {
  const { run, isBusy } = useTask();
  const save = (kind: 'csv' | 'json') =>
    run(() =>
      orToast('Export failed.', async () => {
        const { items: entries, next } = await loadPages('GET /audit', { query: queryOf(filter) }, MAX_EXPORTED);
        if (kind === 'csv') saveText('audit-log.csv', 'text/csv;charset=utf-8', csvOf(entries));
        else saveText('audit-log.json', 'application/json', jsonOf(entries));
        toast(exportedText(entries.length, next === null));
      }),
    );
  const items = () => [
    { label: 'Export as CSV', run: () => void save('csv') },
    { label: 'Export as JSON', run: () => void save('json') },
  ];
  return (
    <MenuOpener class="btn" label="Export format" items={items} isBusy={isBusy}>
      <Download /> {isBusy ? 'Exporting…' : 'Export'}
    </MenuOpener>
  );
}

function AuditFilters({ filter, onChange }: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
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
      {auditFilters.isSet(filter) && (
        <Button variant="is-bare is-small" onClick={() => onChange(auditFilters.read(new URLSearchParams()))}>
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
  Object.entries(ACTIONS).map(([value, [label]]) => ({ value, label })),
  ({ value }) => value.split('.')[0],
);

function Day(props: { label: string; value: string | null; onChange: (day: string | null) => void }) {
  const { label, value, onChange } = props;
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
