import { type TSchema, Type } from '@sinclair/typebox';

/** `T` or `null`, written as a union so that the OpenAPI document stays valid 3.1. */
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One page of a list, newest first. `next` goes into `?before=` (or `?after=`, if that was asked) for the one after it. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: OrNull(Type.String()) }, { additionalProperties: false });

const STEERING = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e`;
const HIDDEN = [
  String.raw`\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5`,
  String.raw`\u200b\u200e\u200f\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb`,
].join('');

/**
 * On one line, and without what steers a terminal or the direction of text: names stand in lists, logs and shells, where
 * one must not pass for another. No C0, DEL, C1, line or paragraph separator, bidirectional control, nor what does not show.
 * Of the latter the pattern names what is never accepted; joiners and selectors are, where a word or an emoji needs them.
 */
export const Name = (options: { maxLength: number; examples: string[] }) =>
  Type.String({
    description: 'Plain text on one line, without characters that do not show. White space around it is dropped.',
    pattern: `^[^${STEERING}${HIDDEN}]*$`,
    ...options,
  });

/** Of the fields of when something ends, at most one. */
export const oneExpiry = { not: { required: ['expiresAt', 'lifetimeSeconds'] } };

/** When something ends: at an instant or after a span. Neither means: as the operation says. */
export const expiryFields = {
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Valid while now is before this. Not together with `lifetimeSeconds`.',
    }),
  ),
  lifetimeSeconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3_155_760_000, description: 'The same, counted from now; at most 100 years.' }),
  ),
};
