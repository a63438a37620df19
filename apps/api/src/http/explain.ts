import { isBlank } from '@hub/contract/blank-text';
import { checkBlocks } from '@hub/contract/blocks/check-blocks';
import { nearestWord } from '@hub/contract/nearest-word';
import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import { printable } from '../platform/errors.ts';
import { hiddenCharacter } from '../platform/hidden-character.ts';
import { parseDateTime } from '../platform/time.ts';
import { choicesOf, codePoints, isAbsent, isBlankText, isObject, takesBlocks, withoutNull } from './field-rules.ts';

const MAX_NAME_CHARACTERS = 64;
const MAX_NAMES_SHOWN = 5;

/** Returns the first problem of a body that `readFields` rejected, as a message that says what to change. */
export function explainFields(schema: TObject, body: unknown, noun: string): string {
  if (!isObject(body)) return notAnObject(noun);
  const problem = fieldsProblem(schema, body, noun);
  if (problem !== null) return problem;
  for (const name of schema.required ?? []) {
    const isSent = Object.hasOwn(body, name);
    if (isSent && !isAbsent(schema.properties[name] as TSchema, body[name])) continue;
    return `${name} is required in ${noun}${isSent ? '; it cannot be blank' : ''}`;
  }
  throw new Error(`${noun} was rejected without a reason`);
}

/** Returns the first problem of the fields that are sent. `prefix`: the path of an object within the body. */
function fieldsProblem(schema: TObject, body: Record<string, unknown>, noun: string, prefix = ''): string | null {
  const unknown = unknownFieldsProblem(schema, body, noun);
  if (unknown !== null) return unknown;
  for (const [name, value] of Object.entries(body)) {
    const field = schema.properties[name];
    const problem = !field || isAbsent(field, value) ? null : fieldProblem(field, prefix + name, value);
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns the first problem of a body that `readPatch` rejected. */
export function explainPatch(schema: TObject, body: unknown, noun: string): string {
  if (!isObject(body)) return notAnObject(noun);
  const unknown = unknownFieldsProblem(schema, body, noun);
  if (unknown !== null) return unknown;
  for (const [name, value] of Object.entries(body)) {
    const field = schema.properties[name];
    const problem = field ? changeProblem(field, name, value) : null;
    if (problem !== null) return problem;
  }
  const changeable = Object.keys(schema.properties).filter((name) => name !== 'baseVersion');
  if (changeable.some((name) => Object.hasOwn(body, name))) {
    throw new Error(`The change of ${noun} was rejected without a reason`);
  }
  return `There are no changes in the body. Send at least one of ${changeable.join(', ')}.`;
}

export function notAnObject(noun: string): string {
  return `The body must be a JSON object with the fields of ${noun}`;
}

/** Names several unknown fields in one message, so that two typos do not take three attempts. */
function unknownFieldsProblem({ properties }: TObject, body: object, noun: string): string | null {
  const fieldNames = Object.keys(properties);
  const unknown = Object.keys(body).filter((name) => !fieldNames.includes(name));
  const [first] = unknown;
  if (first === undefined) return null;
  const fields = fieldNames.length === 0 ? ', which has none' : `; its fields are ${fieldNames.join(', ')}`;
  if (unknown.length === 1) {
    const suggestion = nearestWord(first, fieldNames);
    const hint = suggestion === undefined ? fields : `; did you mean ${suggestion}?`;
    return `${shown(first)} is not a field of ${noun}${hint}`;
  }
  const names = unknown.slice(0, MAX_NAMES_SHOWN).map((name) => {
    const suggestion = nearestWord(name, fieldNames);
    return `${shown(name)}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`;
  });
  const last = unknown.length > MAX_NAMES_SHOWN ? `${unknown.length - MAX_NAMES_SHOWN} more` : names.pop();
  return `${names.join(', ')} and ${last} are not fields of ${noun}${fields}`;
}

function shown(name: string): string {
  return isBlank(name) ? JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS)) : printable(name, MAX_NAME_CHARACTERS);
}

function changeProblem(field: TSchema, name: string, value: unknown): string | null {
  const inner = withoutNull(field);
  const isNullable = inner !== field;
  if (value === null || isBlankText(inner, value)) {
    return isNullable ? null : `${name} cannot be empty: send a value or omit the field`;
  }
  const problem = fieldProblem(inner, name, value);
  return problem !== null && isNullable ? `${problem}; send null to clear it` : problem;
}

/** Returns `null` for a valid value, or else a message that starts with the field name and says what to change. */
export function fieldProblem(field: TSchema, name: string, value: unknown): string | null {
  const allowed = choicesOf(field);
  if (allowed) return choiceProblem(name, value, allowed);
  if (KindGuard.IsString(field)) return textProblem(field, name, value);
  if (KindGuard.IsInteger(field)) return integerProblem(field, name, value);
  if (KindGuard.IsBoolean(field)) return typeof value === 'boolean' ? null : `${name} must be true or false`;
  if (takesBlocks(field)) return blocksProblem(value);
  if (KindGuard.IsArray(field)) return listProblem(field, name, value);
  if (KindGuard.IsObject(field))
    return isObject(value) ? fieldsProblem(field, value, name, `${name}.`) : `${name} must be an object`;
  throw new Error(`The validator has no rule for ${name}`);
}

function choiceProblem(name: string, value: unknown, allowed: string[]): string | null {
  if (typeof value === 'string' && allowed.includes(value)) return null;
  const nearest = typeof value === 'string' ? nearestWord(value, allowed) : undefined;
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${name} must be one of ${allowed.join(', ')}${hint}`;
}

function textProblem(
  field: { maxLength?: number; format?: string; pattern?: string },
  name: string,
  value: unknown,
): string | null {
  if (field.format === 'date-time') {
    if (typeof value === 'string' && parseDateTime(value) !== null) return null;
    return `${name} must be a valid date and time with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30+01:00`;
  }
  if (typeof value !== 'string') return `${name} must be a string, not ${kindOf(value)}`;
  const limit = field.maxLength;
  if (limit !== undefined && value.length > limit) {
    const size = codePoints(value);
    if (size > limit) return `${name} has ${size} characters; at most ${limit} are accepted`;
  }
  if (!value.isWellFormed()) return `${name} contains a lone surrogate, which is not a valid character: remove it`;
  if (value.includes('\0')) return `${name} contains a NUL character (U+0000): remove it`;
  return field.pattern === undefined ? null : nameProblem(new RegExp(field.pattern, 'u'), name, value);
}

/** Terminal control characters, line breaks, and characters that control the text direction. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Returns a message about a character that a name cannot contain. Patterns of names can only exclude characters. */
function nameProblem(pattern: RegExp, name: string, value: string): string | null {
  const rejected = [...value].find((character) => !pattern.test(character)) ?? hiddenCharacter(value);
  if (rejected === null) return null;
  const code = rejected.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const what = CONTROL.test(rejected) ? 'control characters' : 'invisible characters';
  return `${name} cannot contain ${what}: remove U+${code}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function integerProblem(field: { minimum?: number; maximum?: number }, name: string, value: unknown): string | null {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return null;
  return `${name} must be a whole number from ${minimum} to ${maximum}`;
}

function listProblem(field: { items: TSchema; maxItems?: number }, name: string, value: unknown): string | null {
  if (!Array.isArray(value)) return `${name} must be a list`;
  const { length } = value;
  if (length > (field.maxItems ?? length))
    return `${name} has ${length} elements; at most ${field.maxItems} are accepted`;
  for (const [index, element] of value.entries()) {
    const problem = fieldProblem(field.items, `${name}[${index}]`, element);
    if (problem !== null) return problem;
  }
  return null;
}

function blocksProblem(value: unknown): string | null {
  const checked = checkBlocks(value);
  return checked.ok ? null : checked.message;
}
