import type { AuditEntry } from '@hub/contract';
import { WORKSPACE_TOPICS } from '@hub/contract/live';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { type AuditFilter, queryOf } from './audit-filter.ts';

const PAGE = 50;
const EXPORT_PAGE = 100;
/** For more entries, use `hubctl` or the API. */
export const MAX_EXPORTED = 5_000;

interface AuditPage {
  items: AuditEntry[];
  next: string | null;
}

export interface AuditLog {
  entries: readonly AuditEntry[];
  /** Cursor of the older entries; `null` at the end of the log. */
  next: string | null;
  status: 'loading' | 'ready' | 'failed';
  /** The error message if loading failed. */
  text: string;
}

const EMPTY: AuditLog = { entries: [], next: null, status: 'loading', text: '' };

function fetchPage(filter: AuditFilter, before: string | null, limit = PAGE): Promise<AuditPage> {
  return request<AuditPage>('GET', '/audit', { query: { ...queryOf(filter), before, limit } });
}

/** Returns the filtered log, newest first. Loads older pages on request, and adds new entries on top. */
export function useAudit(filter: AuditFilter) {
  const of = JSON.stringify(filter);
  const [log, setLog] = useState<AuditLog>(EMPTY);
  /** The latest filter. Responses for earlier filters are ignored. */
  const current = useRef(of);
  current.current = of;
  const isLoading = useRef(false);

  const load = async (before: string | null) => {
    isLoading.current = true;
    setLog((log) => (before === null ? EMPTY : { ...log, status: 'loading' }));
    try {
      const { items, next } = await fetchPage(filter, before);
      if (current.current !== of) return;
      setLog((log) => ({ entries: [...log.entries, ...items], next, status: 'ready', text: '' }));
    } catch (error) {
      if (current.current === of) setLog((log) => ({ ...log, status: 'failed', text: errorMessage(error) }));
    } finally {
      if (current.current === of) isLoading.current = false;
    }
  };
  useEffect(() => void load(null), [of]);

  const refresh = async () => {
    if (isLoading.current) return;
    const page = await fetchPage(filter, null).catch(() => null);
    if (page && current.current === of) setLog((log) => withNewer(log, page));
  };
  useWorkspaceChanges(WORKSPACE_TOPICS, () => void refresh());

  const loadOlder = () => {
    if (!isLoading.current && log.next !== null) void load(log.next);
  };
  const retry = () => void load(log.entries.length === 0 ? null : log.next);
  return { log, loadOlder, retry };
}

/** Adds new entries on top. If there is more than one page of them, the log starts over. */
function withNewer(log: AuditLog, { items, next }: AuditPage): AuditLog {
  const known = new Set(log.entries.map(({ id }) => id));
  const isContinued = items.some(({ id }) => known.has(id)) || log.entries.length === 0;
  if (!isContinued && next !== null) return { entries: items, next, status: 'ready', text: '' };
  const newer = items.filter(({ id }) => !known.has(id));
  if (log.entries.length === 0) return { entries: items, next, status: 'ready', text: '' };
  return newer.length === 0 ? log : { ...log, entries: [...newer, ...log.entries] };
}

/** Loads all entries that match the filter, newest first, up to `MAX_EXPORTED`. */
export async function allEntries(filter: AuditFilter): Promise<{ entries: AuditEntry[]; isWhole: boolean }> {
  const entries: AuditEntry[] = [];
  let next: string | null = null;
  do {
    const page: AuditPage = await fetchPage(filter, next, EXPORT_PAGE);
    entries.push(...page.items);
    next = page.next;
  } while (next !== null && entries.length < MAX_EXPORTED);
  return { entries, isWhole: next === null };
}
