import type { AuditEntry } from '@hub/contract';
import { dayAndTime } from '../../time/format.ts';

/** Returns a detail that is text; empty if an older server did not record it. */
export function text({ details }: AuditEntry, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value : '';
}

export function texts({ details }: AuditEntry, name: string): string[] {
  const value = details[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Formats an instant from the details, preceded by `before`; empty if there is none. */
export function dated(entry: AuditEntry, name: string, before: string): string {
  const at = text(entry, name);
  return at === '' ? '' : `${before}${dayAndTime(at)}`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  name: 'the name',
  botName: 'the bot name',
  role: 'the role',
  membersManageKeys: 'who can manage keys',
  longestKeyLifetimeDays: 'the maximum key lifetime',
};

/** Describes changed settings: ": the name from Hub to Workshop". */
export function changedSettings({ details: { from, to } }: AuditEntry): string[] {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const changes = Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) =>
      name === 'picture'
        ? 'the bot avatar'
        : `${SETTINGS[name] ?? name} from ${valueText(name, before[name])} to ${valueText(name, after[name])}`,
    );
  return changes.length === 0 ? [] : [`: ${changes.join(', ')}`];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function valueText(name: string, value: unknown): string {
  if (name === 'membersManageKeys') return value === true ? 'members and admins' : 'admins only';
  if (name === 'longestKeyLifetimeDays') return typeof value === 'number' ? `${value} days` : 'no limit';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'another value';
}
