import Download from 'icon:download';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { navigate, place, withQuery } from '../../router/location.ts';
import { dayAndYear, LOCALE } from '../../time/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { PageHead } from '../page-head.tsx';
import { csvOf, jsonOf, saveFile } from './audit-export.ts';
import { type AuditFilter, isBackwards, isFiltering, readFilter, writeFilter } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { type AuditLog, allEntries, MAX_EXPORTED, useAudit } from './use-audit.ts';

/** So far before the end the next page is asked for. */
const AHEAD_PX = 800;

/** Who did what, when and from where. */
export function AuditPage() {
  const filter = readFilter(place.value.query);
  const { log, loadOlder, again } = useAudit(filter);
  const change = (next: AuditFilter) => {
    navigate(withQuery(writeFilter(place.peek().query, next)), { replace: true });
  };
  return (
    <div class="settings-in">
      <PageHead title="Audit log" about="Who did what, when and from where. Newest first; nobody can change it.">
        <Export filter={filter} />
      </PageHead>
      <AuditFilters filter={filter} onChange={change} />
      {log.entries.length > 0 && <AuditTable entries={log.entries} />}
      {log.status === 'ready' && log.entries.length === 0 && log.next === null && (
        <div class="empty">
          <h2>{isFiltering(filter) ? 'Nothing fits these filters' : 'Nothing has happened yet'}</h2>
          {isBackwards(filter) && (
            <p>
              From {dayOf(filter.from)} to {dayOf(filter.to)} there is nothing: the first day comes after the last. Swap
              them.
            </p>
          )}
        </div>
      )}
      <AuditEnd log={log} onNear={loadOlder} onAgain={again} />
    </div>
  );
}

/** A day of the reader's calendar, as people write it. */
function dayOf(day: string | null): string {
  return dayAndYear(`${day}T00:00:00`);
}

interface AuditEndProps {
  log: AuditLog;
  onNear: () => void;
  onAgain: () => void;
}

/** The end of what is loaded: asks for what is older before one gets there, also where a filter found nothing so far. */
function AuditEnd({ log: { entries, next, status, text }, onNear, onAgain }: AuditEndProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    const { current } = end;
    if (!current || next === null || status !== 'ready') return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.at(-1)?.isIntersecting) latest.current();
      },
      { root: current.closest('.settings'), rootMargin: `${AHEAD_PX}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [next, status]);
  return (
    <div class="audit-end" ref={end}>
      {status === 'loading' && <Loading what={entries.length === 0 ? 'Loading' : 'Loading what is older'} />}
      {status === 'failed' && <ErrorNotice text={text} onAgain={onAgain} />}
      {status === 'ready' && next === null && entries.length > 0 && <p>That is all there is.</p>}
    </div>
  );
}

/** What is filtered, as a file. */
function Export({ filter }: { filter: AuditFilter }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const save = async (kind: 'csv' | 'json') => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { entries, isWhole } = await allEntries(filter);
      if (kind === 'csv') saveFile('audit-log.csv', 'text/csv;charset=utf-8', csvOf(entries));
      else saveFile('audit-log.json', 'application/json', jsonOf(entries));
      const count = entries.length.toLocaleString(LOCALE);
      if (isWhole) toast(`${count} entries saved.`);
      else
        toast(
          `The newest ${count} saved: a file holds ${MAX_EXPORTED.toLocaleString(LOCALE)}. Narrow it with filters.`,
        );
    } catch (error) {
      toast(`Not saved. ${errorMessage(error)}`, { isBad: true });
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
        <Download size="s" /> {isBusy ? 'Gathering…' : 'Export'}
      </button>
      {isOpen && button.current && (
        <Menu
          label="Export what is shown"
          opener={button.current}
          onClose={() => setOpen(false)}
          items={[
            { label: 'Save as CSV, for a spreadsheet', run: () => void save('csv') },
            { label: 'Save as JSON', run: () => void save('json') },
          ]}
        />
      )}
    </>
  );
}
