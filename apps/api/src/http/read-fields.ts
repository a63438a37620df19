import { nearestWord } from '@hub/contract/nearest-word';
import { KindGuard, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { choicesOf, fieldProblem } from './read-field.ts';

/**
 * Checks a field whose rules go beyond its schema (`blocks`). Returns a message that starts with the location, or
 * `null`.
 */
export type FieldCheck = (value: unknown) => string | null;

export interface ReadFieldsOptions {
  /** The name of the body in messages: `a to-do`. */
  noun: string;
  checks?: Record<string, FieldCheck>;
}

const MAX_NAME_CHARACTERS = 64;
const MAX_NAMES_SHOWN = 5;

/**
 * Reads a body strictly by its schema: fields, types, limits and required fields all come from there, so that the
 * OpenAPI document matches this code. Beyond the schema: `null`, blank text and an empty list count as absent, lengths
 * are in code points, a date-time must exist, and text must be well-formed. A pattern can only exclude characters.
 */
export function readFields<T extends TObject>(schema: T, body: unknown, options: ReadFieldsOptions): Static<T> {
  const sent = requireObjectBody(body, options.noun);
  rejectUnknownFields(Object.keys(schema.properties), Object.keys(sent), options.noun);
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = schema.properties[name];
    if (!field || isAbsent(field, value)) continue;
    const check = options.checks?.[name];
    const problem = check ? check(value) : fieldProblem(field, name, value);
    if (problem !== null) throw new AppError('invalid', problem);
    read[name] = value;
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(read, name)) continue;
    const hint = Object.hasOwn(sent, name) ? '; it cannot be blank' : '';
    throw new AppError('invalid', `${name} is required in ${options.noun}${hint}`);
  }
  return read as Static<T>;
}

export function requireObjectBody(body: unknown, noun: string): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new AppError('invalid', `The body must be a JSON object with the fields of ${noun}`);
}

/** Rejects unknown fields and names several in one message, so that two typos do not take three attempts. */
export function rejectUnknownFields(known: string[], sent: string[], noun: string): void {
  const unknown = sent.filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return;
  const fields = known.length === 0 ? ', which has none' : `; its fields are ${known.join(', ')}`;
  if (unknown.length === 1) {
    const meant = nearestWord(first, known);
    const hint = meant === undefined ? fields : `; did you mean ${meant}?`;
    throw new AppError('invalid', `${shown(first)} is not a field of ${noun}${hint}`);
  }
  const named = unknown.slice(0, MAX_NAMES_SHOWN).map((name) => {
    const meant = nearestWord(name, known);
    return `${shown(name)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
  });
  const last = unknown.length > MAX_NAMES_SHOWN ? `${unknown.length - MAX_NAMES_SHOWN} more` : named.pop();
  throw new AppError('invalid', `${named.join(', ')} and ${last} are not fields of ${noun}${fields}`);
}

function shown(name: string): string {
  return isBlank(name) ? JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS)) : printable(name, MAX_NAME_CHARACTERS);
}

/**
 * Whether a value counts as absent. Shell scripts and templates send an empty string for a missing value, whatever the
 * type.
 */
function isAbsent(field: TSchema, value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return KindGuard.IsArray(field) && value.length === 0;
  return typeof value === 'string' && isBlank(value) && takesText(field);
}

/**
 * Whether blank text means "no value" in this field. In a number or boolean it is a mistake, such as an unset variable.
 */
export function takesText(field: TSchema): boolean {
  return KindGuard.IsString(field) || KindGuard.IsArray(field) || choicesOf(field) !== null;
}

/** Whether a string contains only white space (the Unicode property) and byte order marks. */
export function isBlank(text: string): boolean {
  return !/[^\p{White_Space}\u{feff}]/u.test(text);
}
