import { KindGuard, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { parseDateTime } from '../date-time.ts';
import { Refusal } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';

/** Checks one field whose rules go beyond its schema (`blocks`). Returns a message that starts with the place, or `null`. */
export type FieldCheck = (value: unknown) => string | null;

export interface ReadFieldsOptions {
  /** What the body is, for the messages: `a to-do`. */
  noun: string;
  checks?: Record<string, FieldCheck>;
}

/**
 * Reads a body strictly by its schema: fields, types, limits and what is required all come from there, so that the
 * OpenAPI document says what is done here. Beyond what a schema says: `null`, blank text and an empty list count
 * as absent, lengths are in code points, a date-time must be a real one, and text must be well-formed.
 */
export function readFields<T extends TObject>(schema: T, body: unknown, options: ReadFieldsOptions): Static<T> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid', `The body must be a JSON object with the fields of ${options.noun}`);
  }
  const names = Object.keys(schema.properties);
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (!field) throw unknownField(name, names, options.noun);
    if (isAbsent(field, value)) continue;
    const fault = options.checks?.[name]?.(value) ?? fieldFault(field, name, value);
    if (fault !== null) throw new Refusal('invalid', fault);
    read[name] = value;
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(read, name)) throw new Refusal('invalid', `${name} is required in ${options.noun}`);
  }
  return read as Static<T>;
}

function unknownField(name: string, names: string[], noun: string): Refusal {
  const nearest = nearestWord(name, names);
  const hint = nearest === undefined ? `its fields are ${names.join(', ')}` : `did you mean ${nearest}?`;
  return new Refusal('invalid', `${printable(name)} is not a field of ${noun}; ${hint}`);
}

/** Names and values that are shown back are cut and cleaned: they are a stranger's words in our message. */
function printable(text: string): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
  return clean.length > 64 ? `${clean.slice(0, 64).toWellFormed()}…` : clean;
}

function isAbsent(field: TSchema, value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return KindGuard.IsArray(field) && value.length === 0;
  return typeof value === 'string' && isTextual(field) && value.trim() === '';
}

/** A string or a choice among strings. */
function isTextual(field: TSchema): boolean {
  return KindGuard.IsString(field) || choices(field) !== null;
}

function choices(field: TSchema): string[] | null {
  if (!KindGuard.IsUnion(field)) return null;
  return field.anyOf.flatMap((choice) =>
    KindGuard.IsLiteral(choice) && typeof choice.const === 'string' ? [choice.const] : [],
  );
}

function fieldFault(field: TSchema, name: string, value: unknown): string | null {
  const allowed = choices(field);
  if (allowed) return choiceFault(name, value, allowed);
  if (KindGuard.IsString(field)) return textFault(field, name, value);
  if (KindGuard.IsInteger(field)) return integerFault(field, name, value);
  if (KindGuard.IsArray(field)) return listFault(field, name, value);
  throw new Error(`read-fields has no rule for ${name}`);
}

function choiceFault(name: string, value: unknown, allowed: string[]): string | null {
  if (typeof value === 'string' && allowed.includes(value)) return null;
  const nearest = typeof value === 'string' ? nearestWord(value, allowed) : undefined;
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${name} must be one of ${allowed.join(', ')}${hint}`;
}

function textFault(field: { maxLength?: number; format?: string }, name: string, value: unknown): string | null {
  if (typeof value !== 'string') return `${name} must be text`;
  if (!value.isWellFormed()) return `${name} holds half of a surrogate pair, which is no character`;
  if (value.includes('\0')) return `${name} holds a NUL character (\\u0000): take it out`;
  if (field.format === 'date-time' && parseDateTime(value) === null) {
    return `${name} must be a date and a time with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30+01:00`;
  }
  const limit = field.maxLength;
  if (limit === undefined || value.length <= limit) return null;
  const size = codePoints(value);
  return size <= limit ? null : `${name} has ${size} characters; at most ${limit} are accepted`;
}

function integerFault(field: { minimum?: number; maximum?: number }, name: string, value: unknown): string | null {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return null;
  return `${name} must be a whole number from ${minimum} to ${maximum}`;
}

function listFault(field: { items: TSchema; maxItems?: number }, name: string, value: unknown): string | null {
  if (!Array.isArray(value)) return `${name} must be a list`;
  for (const [index, element] of value.entries()) {
    const fault = fieldFault(field.items, `${name}[${index}]`, element);
    if (fault !== null) return fault;
  }
  return null;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
