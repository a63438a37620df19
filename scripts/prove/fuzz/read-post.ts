/**
 * An independent implementation of product.md, section 1, that shares no code with the product: returns the meaning of
 * a body sent to the public API, or null if it must be rejected. For blocks, it checks only what all types have in
 * common.
 */
import type { PostKind } from '@hub/testkit';

/** The expected item. `isSure` is false if the outcome depends on the rules for blocks. */
export interface ReadPost {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isSure: boolean;
}

const LIMITS: Record<PostKind, Record<string, number>> = {
  messages: { text: 40_000 },
  notes: { title: 255, content: 200_000 },
  todos: { title: 255, content: 40_000 },
};
const REQUIRED: Record<PostKind, string | null> = { messages: null, notes: 'content', todos: 'title' };
const MAX_BYTES = 1024 * 1024;

export function readPost(kind: PostKind, body: Buffer): ReadPost | null {
  if (body.length > MAX_BYTES) return null;
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
  const fields: Record<string, unknown> = {};
  let isSure = true;
  for (const [name, value] of Object.entries(sent)) {
    const known =
      Object.hasOwn(LIMITS[kind], name) ||
      (kind === 'messages' && name === 'blocks') ||
      (kind === 'todos' && (name === 'dueDate' || name === 'priority'));
    if (!known) return null;
    if (
      value === null ||
      (typeof value === 'string' && isBlank(value)) ||
      (name === 'blocks' && Array.isArray(value) && value.length === 0)
    )
      continue;
    if (name === 'blocks') {
      if (!Array.isArray(value) || value.length > 100 || !value.every(isBlock)) return null;
      isSure = false;
    } else if (!isGoodText(name, value, LIMITS[kind][name])) return null;
    fields[name] = value;
  }
  const required = REQUIRED[kind];
  if (required === null ? Object.keys(fields).length === 0 : !(required in fields)) return null;
  return { fields, isSure };
}

function isGoodText(name: string, value: unknown, limit: number | undefined): boolean {
  if (typeof value !== 'string') return false;
  if (name === 'priority') return ['LOW', 'MEDIUM', 'HIGH', 'URGENT'].includes(value);
  if (name === 'dueDate') return instantOf(value) !== null;
  if (limit === undefined || value.includes('\0') || /\p{Cs}/u.test(value)) return false;
  return Array.from(value).length <= limit;
}

/** Returns the milliseconds of an RFC 3339 date-time, or null. Leap seconds are valid only at the end of a UTC day. */
export function instantOf(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\d)t(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(z|[+-]\d\d:\d\d)$/i.exec(text);
  if (!parts) return null;
  const [, day = '', hours = '', minutes = '', seconds = '00', fraction = '', offset = ''] = parts;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return null;
  const [, sign = '+', offsetHours = '0', offsetMinutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  if (+hours > 23 || +minutes > 59 || +seconds > 60 || +offsetHours > 23 || +offsetMinutes > 59) return null;
  const ms = seconds === '60' ? 0 : Math.floor(Number(`0.${fraction.slice(0, 3)}0`) * 1000 + 1e-6);
  const offsetMs = (+offsetHours * 60 + +offsetMinutes) * 60_000 * (sign === '-' ? -1 : 1);
  const instant = date.getTime() + ((+hours * 60 + +minutes) * 60 + +seconds) * 1000 + ms - offsetMs;
  if (seconds === '60' && !new Date(instant).toISOString().endsWith('T00:00:00.000Z')) return null;
  const year = new Date(instant).getUTCFullYear();
  return year >= 0 && year <= 9999 ? instant : null;
}

function isBlank(text: string): boolean {
  // NUL is rejected.
  return (
    !text.includes('\0') && text.replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu, '') === ''
  );
}

function isBlock(block: unknown): boolean {
  const { type, data } = (block ?? {}) as { type?: unknown; data?: unknown };
  return typeof type === 'string' && typeof data === 'object' && data !== null && !Array.isArray(data);
}
