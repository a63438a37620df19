import { isBlank } from '@hub/contract/blank-text';
import { BlockSchema } from '@hub/contract/blocks/schema';
import { KindGuard, type TArray, type TSchema } from '@sinclair/typebox';

export function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Returns the allowed values of a choice field, or `null` for any other field. */
export function choicesOf(field: TSchema): string[] | null {
  if (!KindGuard.IsUnion(field) || !field.anyOf.every((choice) => KindGuard.IsLiteral(choice))) return null;
  return field.anyOf.map((choice) => String(choice.const));
}

/** Returns `T` for `T | null`, or the schema itself if it has no `null`. */
export function withoutNull(field: TSchema): TSchema {
  if (!KindGuard.IsUnion(field)) return field;
  const [inner, none] = field.anyOf;
  return inner && none && field.anyOf.length === 2 && KindGuard.IsNull(none) ? inner : field;
}

/** Whether a field takes Editor.js blocks, which have rules of their own. */
export function takesBlocks(field: TSchema): field is TArray<typeof BlockSchema> {
  return KindGuard.IsArray(field) && field.items === BlockSchema;
}

/** Whether blank text means "no value". In a number or boolean, it is a mistake, such as an unset variable. */
function takesText(field: TSchema): boolean {
  return KindGuard.IsString(field) || KindGuard.IsArray(field) || choicesOf(field) !== null;
}

/** Whether a value counts as absent. Shell scripts and templates send empty strings for missing values of any type. */
export function isAbsent(field: TSchema, value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return KindGuard.IsArray(field) && value.length === 0;
  return isBlankText(field, value);
}

export function isBlankText(field: TSchema, value: unknown): boolean {
  return typeof value === 'string' && isBlank(value) && takesText(field);
}

/** Returns the number of code points, as JSON Schema counts. Iterating over characters takes several times as long. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}
