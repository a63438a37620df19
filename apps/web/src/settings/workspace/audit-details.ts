import type { AuditEntry } from '@hub/contract';
import { dayAndTime } from '../../time/format.ts';

/** A detail that is text; nothing if an older server did not write it down. */
export function text({ details }: AuditEntry, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value : '';
}

export function texts({ details }: AuditEntry, name: string): string[] {
  const value = details[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** An instant among the details, with the words that lead to it. */
export function dated(entry: AuditEntry, name: string, before: string): string {
  const at = text(entry, name);
  return at === '' ? '' : `${before}${dayAndTime(at)}`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  name: 'the name',
  botName: 'the name of the bot',
  role: 'the role',
  membersManageKeys: 'who manages keys',
  longestKeyLifetimeDays: 'the longest lifetime of keys',
};

/** ": the name from Hub to Workshop", of whatever became another. */
export function changedSettings({ details: { from, to } }: AuditEntry): string[] {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const changes = Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) =>
      name === 'picture'
        ? `the picture of the bot`
        : `${SETTINGS[name] ?? name} from ${say(name, before[name])} to ${say(name, after[name])}`,
    );
  return changes.length === 0 ? [] : [`: ${changes.join(', ')}`];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function say(name: string, value: unknown): string {
  if (name === 'membersManageKeys') return value === true ? 'members and admins' : 'admins alone';
  if (name === 'longestKeyLifetimeDays') return typeof value === 'number' ? `${value} days` : 'no limit';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'something else';
}
