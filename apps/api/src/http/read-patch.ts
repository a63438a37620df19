import { KindGuard, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { AppError } from '../errors.ts';
import { fieldProblem } from './read-field.ts';
import { isBlank, type ReadFieldsOptions, rejectUnknownFields, requireObjectBody, takesText } from './read-fields.ts';

/**
 * Reads the body of a PATCH by its schema (RFC 7396, section 1): an omitted field is not changed, and `null` clears a
 * field that can be empty. Blank text in a text field is treated as `null`. In a required field, both are rejected, so
 * that an ignored change does not look like a successful one. `baseVersion` alone is not a change.
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
    throw new AppError('invalid', `There are no changes in the body. Send at least one of ${changeable.join(', ')}.`);
  }
  return read as Static<T>;
}

function readField(field: TSchema, name: string, value: unknown): unknown {
  const inner = withoutNull(field);
  const isEmpty = value === null || (typeof value === 'string' && isBlank(value) && takesText(inner));
  if (isEmpty && inner !== field) return null;
  if (isEmpty) throw new AppError('invalid', `${name} cannot be empty: send a value or omit the field`);
  const problem = fieldProblem(inner, name, value);
  if (problem !== null) throw new AppError('invalid', inner === field ? problem : `${problem}; send null to clear it`);
  return value;
}

/** Returns `T` for `T | null`, or the schema itself if it has no `null`. */
function withoutNull(field: TSchema): TSchema {
  if (!KindGuard.IsUnion(field)) return field;
  const [inner, none] = field.anyOf;
  return inner && none && field.anyOf.length === 2 && KindGuard.IsNull(none) ? inner : field;
}
