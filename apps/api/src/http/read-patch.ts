import { KindGuard, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { AppError } from '../errors.ts';
import { fieldProblem } from './read-field.ts';
import { isBlank, type ReadFieldsOptions, rejectUnknownFields, requireObjectBody, takesText } from './read-fields.ts';

/**
 * Reads the body of a PATCH by its schema (RFC 7396, section 1): what is left out stays, and a `null` clears a field that can be
 * clear. Blank text is `null` there if it takes text; in a field that cannot be clear both are refused, since a change that is not
 * made must not look as if it were. `baseVersion` is no change by itself.
 */
export function readPatch<T extends TObject>(schema: T, body: unknown, { noun }: ReadFieldsOptions): Static<T> {
  const sent = requireObjectBody(body, noun);
  const names = Object.keys(schema.properties);
  rejectUnknownFields(names, Object.keys(sent), noun);
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = schema.properties[name];
    if (field) read[name] = readField(field, name, value);
  }
  const changeable = names.filter((name) => name !== 'baseVersion');
  if (!changeable.some((name) => Object.hasOwn(read, name))) {
    throw new AppError('invalid', `Nothing is to be changed. Send at least one of ${changeable.join(', ')}.`);
  }
  return read as Static<T>;
}

function readField(field: TSchema, name: string, value: unknown): unknown {
  const inner = withoutNull(field);
  const isEmpty = value === null || (typeof value === 'string' && isBlank(value) && takesText(inner));
  if (isEmpty && inner !== field) return null;
  if (isEmpty) throw new AppError('invalid', `${name} cannot be empty: give it a value, or leave it out`);
  const problem = fieldProblem(inner, name, value);
  if (problem !== null) throw new AppError('invalid', inner === field ? problem : `${problem}; null clears it`);
  return value;
}

/** `T` of `T | null`; the schema itself if it has no `null`. */
function withoutNull(field: TSchema): TSchema {
  if (!KindGuard.IsUnion(field)) return field;
  const [inner, none] = field.anyOf;
  return inner && none && field.anyOf.length === 2 && KindGuard.IsNull(none) ? inner : field;
}
