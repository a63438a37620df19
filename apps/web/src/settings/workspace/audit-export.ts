import type { AuditEntry } from '@hub/contract';

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

/** RFC 4180, with a head. Cells that a spreadsheet would take for a formula begin with an apostrophe. */
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

/** Lets the browser save a file that is made here. */
export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function cell(value: string | null): string {
  const text = value === null ? '' : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
