import Download from 'icon:download';
import type { AuditEntry } from '@hub/contract';
import { WORKSPACE_TOPICS } from '@hub/contract/live';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage, loadPages, request } from '../../data/request.ts';
import { type PagesState, usePages } from '../../data/use-pages.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { navigate, route, withQuery } from '../../router/location.ts';
import { dayAndYear } from '../../time/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { PageHead } from '../page-head.tsx';
import { csvOf, exportedText, jsonOf, saveFile } from './audit-export.ts';
import { type AuditFilter, isBackwards, isFiltering, queryOf, readFilter, writeFilter } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

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
  const change = (next: AuditFilter) => {
    navigate(withQuery(writeFilter(route.peek().query, next)), { replace: true });
  };
  return (
    <div class="settings-in">
      <PageHead title="Audit log" about="Who did what, when and from where. Entries can’t be changed.">
        <Export filter={filter} />
      </PageHead>
      <AuditFilters filter={filter} onChange={change} />
      {pages.items.length > 0 && <AuditTable entries={pages.items} />}
      {pages.status === 'ready' && pages.items.length === 0 && pages.next === null && (
        <div class="empty">
          <h2>{isFiltering(filter) ? 'No matching entries' : 'No entries yet'}</h2>
          {isBackwards(filter) && (
            <p>
              The start date, {dayOf(filter.from)}, is after the end date, {dayOf(filter.to)}. Swap them.
            </p>
          )}
        </div>
      )}
      <AuditEnd log={pages} loadMore={loadMore} />
    </div>
  );
}

/** Formats a local date for reading. */
function dayOf(day: string | null): string {
  return dayAndYear(`${day}T00:00:00`);
}

interface AuditEndProps {
  log: PagesState<AuditEntry>;
  loadMore: () => void;
}

/**
 * The end of the loaded entries. Loads older entries before the user gets there, even if a filter has found nothing so
 * far.
 */
function AuditEnd({ log: { items, next, status, text }, loadMore }: AuditEndProps) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = end;
    if (!current || next === null || status !== 'ready') return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.at(-1)?.isIntersecting) loadMore();
      },
      { root: current.closest('.settings'), rootMargin: `${AHEAD_PX}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [next, status]);
  return (
    <div class="audit-end" ref={end}>
      {status === 'loading' && <Loading what={items.length === 0 ? 'Loading' : 'Loading older entries'} />}
      {status === 'failed' && <ErrorNotice text={text} onRetry={loadMore} />}
      {status === 'ready' && next === null && items.length > 0 && <p>You’ve reached the end.</p>}
    </div>
  );
}

/** Exports the filtered entries as a file. */
function Export({ filter }: { filter: AuditFilter }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const save = async (kind: 'csv' | 'json') => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { items: entries, next } = await loadPages('GET /audit', { query: queryOf(filter) }, MAX_EXPORTED);
      if (kind === 'csv') saveFile('audit-log.csv', 'text/csv;charset=utf-8', csvOf(entries));
      else saveFile('audit-log.json', 'application/json', jsonOf(entries));
      toast(exportedText(entries.length, next === null));
    } catch (error) {
      toast(`Export failed. ${errorMessage(error)}`, { isBad: true });
    }
    setBusy(false);
  };
  return (
    <>
      <button
        class="btn"
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-disabled={isBusy}
        onClick={() => setOpen(!isOpen)}
      >
        <Download size="s" /> {isBusy ? 'Exporting…' : 'Export'}
      </button>
      {isOpen && button.current && (
        <Menu
          label="Export format"
          opener={button.current}
          onClose={() => setOpen(false)}
          items={[
            { label: 'Export as CSV', run: () => void save('csv') },
            { label: 'Export as JSON', run: () => void save('json') },
          ]}
        />
      )}
    </>
  );
}
