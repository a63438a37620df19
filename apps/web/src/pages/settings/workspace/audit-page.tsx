import type { AuditEntry } from '@hub/contract';
import { WORKSPACE_TOPICS } from '@hub/contract/live';
import { Download } from 'icons';
import { usePages } from '../../../data/live/use-pages.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { errorMessage, loadPages, request } from '../../../data/request.ts';
import { navigate, route, withQuery } from '../../../lib/router/location.ts';
import { dayAndYear, logTime } from '../../../lib/time/dates.ts';
import { fullTime } from '../../../lib/time/format.ts';
import { now } from '../../../lib/time/now.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { useTask } from '../../../ui/forms/form.tsx';
import { PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Table } from '../../../ui/forms/table.tsx';
import { ListEnd } from '../../../ui/items/list-end.tsx';
import { MenuOpener } from '../../../ui/menu.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { ErrorNotice, Loading } from '../../../ui/page/load-states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { actionText } from './audit-actions.ts';
import { csvOf, exportedText, jsonOf, saveFile } from './audit-export.ts';
import {
  type AuditFilter,
  isBackwards,
  isFiltering,
  NO_USER,
  queryOf,
  readFilter,
  writeFilter,
} from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';

/** Distance from the end at which the next page is loaded. */
const AHEAD_PX = 800;
const PAGE = 50;
/** For more entries, use `hubctl` or the API. */
const MAX_EXPORTED = 5_000;

/** The audit log, with filters and export. */
export function AuditPage() {
  const filter = readFilter(route.value.query);
  const { pages, loadMore } = usePages(
    (before, signal) => request('GET /audit', { query: { ...queryOf(filter), before, limit: PAGE }, signal }),
    { key: JSON.stringify(filter), topics: WORKSPACE_TOPICS },
  );
  const isEmpty = pages.items.length === 0;
  const isAtEnd = pages.status === 'ready' && pages.next === null;
  const change = (next: AuditFilter) => {
    navigate(withQuery(writeFilter(route.peek().query, next)), { replace: true });
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
          title={isFiltering(filter) ? 'No matching entries' : 'No entries yet'}
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

/** Exports the filtered entries as a file. */
function Export({ filter }: { filter: AuditFilter }) {
  const { run, isBusy } = useTask();
  const save = (kind: 'csv' | 'json') =>
    run(async () => {
      try {
        const { items: entries, next } = await loadPages('GET /audit', { query: queryOf(filter) }, MAX_EXPORTED);
        if (kind === 'csv') saveFile('audit-log.csv', 'text/csv;charset=utf-8', csvOf(entries));
        else saveFile('audit-log.json', 'application/json', jsonOf(entries));
        toast(exportedText(entries.length, next === null));
      } catch (error) {
        toast(`Export failed. ${errorMessage(error)}`, { isError: true });
      }
    });
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
