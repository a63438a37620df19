import type { Actor, AuditEntry } from '@hub/contract';
import { textIn, urlFilters } from '../../../lib/router/filters.ts';
import { isDay, startOfDay } from '../../../lib/time/dates.ts';
import { LOCALE } from '../../../lib/time/format.ts';

export interface AuditFilter {
  /** The id of a user, or the kind of an actor without an account. */
  who: string | null;
  action: string | null;
  hubId: string | null;
  targetId: string | null;
  /** The first and last date, as `YYYY-MM-DD`. */
  from: string | null;
  to: string | null;
}

/** Actors without an account. */
export const NO_USER = { local: 'Local admin', server: 'The server' } as const satisfies Partial<
  Record<Actor['kind'], string>
>;

const dayIn = (parameter: string) => ({ parameter, none: null, read: (text: string) => (isDay(text) ? text : null) });

export const auditFilters = urlFilters<AuditFilter>({
  who: textIn('who'),
  action: textIn('what'),
  hubId: textIn('hub'),
  targetId: textIn('key'),
  from: dayIn('from'),
  to: dayIn('to'),
});

export function isBackwards({ from, to }: AuditFilter): boolean {
  return from !== null && to !== null && from > to;
}

/** Returns the query for the API. Dates are local and include the whole day. */
export function queryOf({ who, action, hubId, targetId, from, to }: AuditFilter) {
  const noUser: keyof typeof NO_USER | null = who === 'local' || who === 'server' ? who : null;
  return {
    actorKind: noUser,
    actorId: noUser === null ? who : null,
    action,
    hubId,
    targetId,
    from: from && startOfDay(from),
    to: to && startOfDay(to, 1),
  };
}

const COLUMNS = [
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'address',
  'action',
  'hubId',
  'targetId',
  'targetName',
  'details',
] as const;

/** Returns CSV (RFC 4180) with a header row, and an apostrophe before what a spreadsheet takes for a formula. */
export function csvOf(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ actor, details, ...entry }) => {
    const { kind: actorKind, id: actorId, name: actorName } = actor;
    const fields = { ...entry, actorKind, actorId, actorName, details: JSON.stringify(details) };
    return COLUMNS.map((column) => fields[column]);
  });
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

export function jsonOf(entries: readonly AuditEntry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Returns the message after an export. `isWhole`: the file contains all matching entries. */
export function exportedText(count: number, isWhole: boolean): string {
  const entries = count === 1 ? '1 entry' : `${count.toLocaleString(LOCALE)} entries`;
  if (isWhole) return `${entries} exported.`;
  return `Exported the newest ${entries}, the most a file can hold. Use filters to narrow the list.`;
}

function cell(value: string | null): string {
  const text = value === null ? '' : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
