import type { AuditEntry } from '@hub/contract';
import { WORKSPACE_TOPICS } from '@hub/contract/live';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { type AuditFilter, queryOf } from './audit-filter.ts';

const PAGE = 50;
const EXPORT_PAGE = 100;
/** A file of more is for `hubctl` and the API. */
export const MAX_EXPORTED = 5_000;

interface AuditPage {
  items: AuditEntry[];
  next: string | null;
}

export interface AuditLog {
  entries: readonly AuditEntry[];
  /** Where older ones follow; `null` at the end of the log. */
  next: string | null;
  status: 'loading' | 'ready' | 'failed';
  /** Why it failed. */
  text: string;
}

const EMPTY: AuditLog = { entries: [], next: null, status: 'loading', text: '' };

function ask(filter: AuditFilter, before: string | null, limit = PAGE): Promise<AuditPage> {
  return request<AuditPage>('GET', '/audit', { query: { ...queryOf(filter), before, limit } });
}

/** The log as it is filtered, newest first: pages as they are asked for, and what comes anew on top. */
export function useAudit(filter: AuditFilter) {
  const of = JSON.stringify(filter);
  const [log, setLog] = useState<AuditLog>(EMPTY);
  /** Of several filters the answer to the last one counts. */
  const current = useRef(of);
  current.current = of;
  const isUnderWay = useRef(false);

  const load = async (before: string | null) => {
    isUnderWay.current = true;
    setLog((log) => (before === null ? EMPTY : { ...log, status: 'loading' }));
    try {
      const { items, next } = await ask(filter, before);
      if (current.current !== of) return;
      setLog((log) => ({ entries: [...log.entries, ...items], next, status: 'ready', text: '' }));
    } catch (error) {
      if (current.current === of) setLog((log) => ({ ...log, status: 'failed', text: errorMessage(error) }));
    } finally {
      if (current.current === of) isUnderWay.current = false;
    }
  };
  useEffect(() => void load(null), [of]);

  const refresh = async () => {
    if (isUnderWay.current) return;
    const page = await ask(filter, null).catch(() => null);
    if (page && current.current === of) setLog((log) => withNewer(log, page));
  };
  useWorkspaceChanges(WORKSPACE_TOPICS, () => void refresh());

  const loadOlder = () => {
    if (!isUnderWay.current && log.next !== null) void load(log.next);
  };
  const again = () => void load(log.entries.length === 0 ? null : log.next);
  return { log, loadOlder, again };
}

/** What stands there stays; if more has come than fits into a page, the log begins anew. */
function withNewer(log: AuditLog, { items, next }: AuditPage): AuditLog {
  const known = new Set(log.entries.map(({ id }) => id));
  const isContinued = items.some(({ id }) => known.has(id)) || log.entries.length === 0;
  if (!isContinued && next !== null) return { entries: items, next, status: 'ready', text: '' };
  const newer = items.filter(({ id }) => !known.has(id));
  if (log.entries.length === 0) return { entries: items, next, status: 'ready', text: '' };
  return newer.length === 0 ? log : { ...log, entries: [...newer, ...log.entries] };
}

/** All that a filter lets through, newest first, up to what a file may hold. */
export async function allEntries(filter: AuditFilter): Promise<{ entries: AuditEntry[]; isWhole: boolean }> {
  const entries: AuditEntry[] = [];
  let next: string | null = null;
  do {
    const page: AuditPage = await ask(filter, next, EXPORT_PAGE);
    entries.push(...page.items);
    next = page.next;
  } while (next !== null && entries.length < MAX_EXPORTED);
  return { entries, isWhole: next === null };
}
