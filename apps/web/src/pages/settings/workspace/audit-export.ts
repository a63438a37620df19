import type { AuditEntry } from '@hub/contract';
import { download } from '../../../lib/download.ts';
import { LOCALE } from '../../../lib/time/format.ts';

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
  const rows = entries.map(({ at, actor, address, action, hubId, targetId, targetName, details }) => [
    at,
    actor.kind,
    actor.id,
    actor.name,
    address,
    action,
    hubId,
    targetId,
    targetName,
    JSON.stringify(details),
  ]);
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

/** Downloads a file created in the page. */
export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  download(url, name);
  URL.revokeObjectURL(url);
}

function cell(value: string | null): string {
  const text = value === null ? '' : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
