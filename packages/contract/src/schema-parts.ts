import { type TSchema, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';

/**
 * `T` or `null`, written as a union so that the OpenAPI document stays valid 3.1. Its example is that of `T`, if any,
 * unless `options` has others.
 */
export const OrNull = <T extends TSchema>(schema: T, options: { examples?: unknown[] } = {}) =>
  Type.Union([schema, Type.Null()], options);

/** The options of a nullable schema that is `null` in examples. */
export const unset = { examples: [null] };

/** An ID. In examples it has the prefix of its kind, as all IDs do. */
export const Id = (prefix: string, options: { description?: string } = {}) =>
  Type.String({ ...options, examples: [`${prefix}_01KJMBS8106Z5QS12QGDH7FEWP`] });

/** The format of a date-time in a request (RFC 3339). It cannot express which days and times exist. */
export const DATE_TIME_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/.source;

/** One page of a list, newest first. For the next page, pass `next` in `?before=` (or in `?after=`, if it was used). */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: OrNull(Type.String()) }, { additionalProperties: false });

const CONTROL_CHARACTERS = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e`;
const INVISIBLE_CHARACTERS = [
  String.raw`\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5`,
  String.raw`\u200b\u200e\u200f\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb`,
].join('');

/**
 * A name on one line, without characters that control a terminal or the direction of text. Names appear in lists, logs
 * and shells, where two names must not look the same. Excludes C0, DEL, C1, line and paragraph separators,
 * bidirectional controls and invisible characters. The pattern lists the invisible characters that are never accepted;
 * joiners and selectors are accepted where a word or an emoji needs them.
 */
export const Name = (options: { maxLength: number; examples: string[] }) =>
  Type.String({
    description: 'Plain text on one line, without invisible characters. Surrounding white space is trimmed.',
    pattern: `^[^${CONTROL_CHARACTERS}${INVISIBLE_CHARACTERS}]*$`,
    ...options,
  });

/** Allows at most one of the two expiry fields. */
export const oneExpiry = { not: { required: ['expiresAt', 'lifetimeSeconds'] } };

/** The expiry of a key or token: an instant or a lifetime. Without either, the default of the operation applies. */
export const expiryFields = {
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The key is valid before this time. Cannot be combined with `lifetimeSeconds`.',
    }),
  ),
  lifetimeSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.lifetimeSeconds,
      description: 'The lifetime from now on; at most 100 years.',
      examples: [7_776_000],
    }),
  ),
};

/** The author of an item, and the key with which it was posted. */
export const authorFields = {
  author: Type.Object(
    {
      id: Id('usr'),
      kind: Type.Union([Type.Literal('bot'), Type.Literal('user')], { examples: ['user'] }),
      name: Type.String({ examples: ['Ada Lovelace'] }),
    },
    { additionalProperties: false },
  ),
  key: OrNull(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { additionalProperties: false, description: 'The key that posted it; `null` if a user wrote it.' },
    ),
  ),
};
