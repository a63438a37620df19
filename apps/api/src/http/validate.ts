import { checkBlocks } from '@hub/contract/blocks/check-blocks';
import { KindGuard, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { AppError } from '../platform/errors.ts';
import { hiddenCharacter } from '../platform/hidden-character.ts';
import { parseDateTime } from '../platform/time.ts';
import { explainFields, explainPatch, notAnObject } from './explain.ts';
import { choicesOf, codePoints, isAbsent, isBlankText, isObject, takesBlocks, withoutNull } from './field-rules.ts';
import { readOptionalJsonBody } from './read-body.ts';

interface ReadOptions {
  /** The name of the body in messages: `a to-do`. */
  noun: string;
}

/**
 * Reads a body strictly by its schema, from which the OpenAPI document comes as well. Beyond it: `null`, blank text and
 * an empty list count as absent, lengths are in code points, dates must exist, and text must be well-formed.
 */
export function readFields<T extends TObject>(schema: T, body: unknown, { noun }: ReadOptions): Static<T> {
  const { fields, accepts } = fieldsValidator(schema);
  const input = isObject(body) ? withoutAbsent(body, fields) : body;
  if (accepts(input)) return input as Static<T>;
  throw new AppError('invalid', explainFields(schema, body, noun));
}

/**
 * Reads the body of a PATCH (RFC 7396): an omitted field is not changed, and `null` or blank text clears a field that
 * can be empty. In other fields, both are rejected, so that no ignored change looks like a success.
 */
export function readPatch<T extends TObject>(schema: T, body: unknown, { noun }: ReadOptions): Static<T> {
  const { fields, accepts } = patchValidator(schema);
  const input = isObject(body) ? withBlankAsNull(body, fields) : body;
  if (accepts(input) && Object.keys(input).some((name) => name !== 'baseVersion')) return input as Static<T>;
  throw new AppError('invalid', explainPatch(schema, body, noun));
}

const NO_FIELDS = Type.Object({}, { additionalProperties: false });

/** Rejects any field for an operation that has none, since the sender expects something that will not happen. */
export async function readNoFields(request: Request, noun: string): Promise<void> {
  readFields(NO_FIELDS, await readOptionalJsonBody(request), { noun });
}

export function requireObjectBody(body: unknown, noun: string): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new AppError('invalid', notAnObject(noun));
}

type Fields = ReadonlyMap<string, TSchema>;

function withoutAbsent(body: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  let present: Record<string, unknown> | undefined;
  for (const name of Object.keys(body)) {
    const field = fields.get(name);
    if (field === undefined || !isAbsent(field, body[name])) continue;
    present ??= { ...body };
    delete present[name];
  }
  return present ?? body;
}

function withBlankAsNull(body: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => {
    const field = fields.get(name);
    return [name, field !== undefined && isBlankText(field, value) ? null : value];
  });
  return Object.fromEntries(entries);
}

interface Validator {
  /** The fields by name. In a patch, without `null`. */
  fields: Fields;
  accepts: (body: unknown) => body is Record<string, unknown>;
}

const fieldsValidator = compiledOnce((schema) => {
  const { required = [], properties } = schema;
  return compile(properties, (name, field) => (required.includes(name) ? field : Type.Optional(field)));
});

const patchValidator = compiledOnce(({ properties }) => {
  const inner = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withoutNull(field)]));
  return compile(inner, (name, field) =>
    Type.Optional(inner[name] === properties[name] ? field : Type.Union([field, Type.Null()])),
  );
});

/** Compiles a schema when it is first used, so that a server does not start later for each operation that it has. */
function compiledOnce(compileSchema: (schema: TObject) => Validator): (schema: TObject) => Validator {
  const compiled = new WeakMap<TObject, Validator>();
  return (schema) => {
    let validator = compiled.get(schema);
    if (validator === undefined) {
      validator = compileSchema(schema);
      compiled.set(schema, validator);
    }
    return validator;
  };
}

function compile(properties: Record<string, TSchema>, member: (name: string, type: TSchema) => TSchema): Validator {
  const fields = new Map(Object.entries(properties));
  const members = [...fields].map(([name, field]) => [name, member(name, typeOf(field, name))]);
  const types = TypeCompiler.Compile(Type.Object(Object.fromEntries(members), { additionalProperties: false }));
  const rules = [...fields].flatMap(([name, field]) => {
    const rule = ruleOf(field);
    return rule === null ? [] : [{ name, rule }];
  });
  const accepts = (body: unknown): body is Record<string, unknown> =>
    types.Check(body) && rules.every(({ name, rule }) => isMissing(body[name]) || rule(body[name]));
  return { fields, accepts };
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** Returns the part of a field's schema that TypeBox checks in the same way: types, choices, ranges and list sizes. */
function typeOf(field: TSchema, name: string): TSchema {
  if (choicesOf(field) !== null || KindGuard.IsBoolean(field)) return field;
  if (KindGuard.IsString(field)) return Type.String();
  if (KindGuard.IsInteger(field)) {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
    return Type.Integer({ minimum, maximum });
  }
  if (takesBlocks(field)) return Type.Array(Type.Unknown());
  if (KindGuard.IsObject(field)) return Type.Unknown();
  if (KindGuard.IsArray(field)) {
    const { maxItems = Number.MAX_SAFE_INTEGER } = field;
    return Type.Array(typeOf(field.items, name), { maxItems });
  }
  throw new Error(`The validator has no rule for ${name}`);
}

/** A rule beyond the type of a field, or `null` if there is none. It is called for values of that type only. */
type Rule = (value: unknown) => boolean;

function ruleOf(field: TSchema): Rule | null {
  if (KindGuard.IsObject(field)) {
    const { fields, accepts } = fieldsValidator(field);
    return (value) => isObject(value) && accepts(withoutAbsent(value, fields));
  }
  if (takesBlocks(field)) return (value) => checkBlocks(value).ok;
  if (KindGuard.IsString(field)) {
    if (field.format === 'date-time') return (value) => parseDateTime(value as string) !== null;
    return textRule(field) as Rule;
  }
  const ofElement = KindGuard.IsArray(field) ? ruleOf(field.items) : null;
  return ofElement === null ? null : (list) => (list as unknown[]).every(ofElement);
}

/** The length is checked before anything that looks at each character. */
function textRule({ maxLength = Number.POSITIVE_INFINITY, pattern }: { maxLength?: number; pattern?: string }) {
  const allowed = pattern === undefined ? null : new RegExp(pattern, 'u');
  return (text: string): boolean =>
    (text.length <= maxLength || (text.length <= 2 * maxLength && codePoints(text) <= maxLength)) &&
    text.isWellFormed() &&
    !text.includes('\0') &&
    (allowed === null || (allowed.test(text) && hiddenCharacter(text) === null));
}
