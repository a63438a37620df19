import { nearestWord } from '@hub/contract/nearest-word';
import { KindGuard, type TSchema } from '@sinclair/typebox';
import { parseDateTime } from '../date-time.ts';
import { hiddenCharacter } from './hidden-character.ts';

/** Returns `null` for a valid value, or else a message that starts with the field name and says what to change. */
export function fieldProblem(field: TSchema, name: string, value: unknown): string | null {
  const allowed = choicesOf(field);
  if (allowed) return choiceProblem(name, value, allowed);
  if (KindGuard.IsString(field)) return textProblem(field, name, value);
  if (KindGuard.IsInteger(field)) return integerProblem(field, name, value);
  if (KindGuard.IsBoolean(field)) return typeof value === 'boolean' ? null : `${name} must be true or false`;
  if (KindGuard.IsArray(field)) return listProblem(field, name, value);
  throw new Error(`read-field has no rule for ${name}`);
}

/** Returns the allowed values of a choice field, or `null` for any other field. */
export function choicesOf(field: TSchema): string[] | null {
  if (!KindGuard.IsUnion(field) || !field.anyOf.every((choice) => KindGuard.IsLiteral(choice))) return null;
  return field.anyOf.map((choice) => String(choice.const));
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
  // The length is checked before anything that looks at each character.
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

/**
 * Returns a message about a character that a name cannot contain. Name patterns only exclude characters;
 * `hiddenCharacter` finds those that a pattern cannot exclude.
 */
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

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
