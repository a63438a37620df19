import { type Static, Type } from '@sinclair/typebox';

/** One Editor.js block as `save()` returns it. */
export const BlockSchema = Type.Object(
  {
    id: Type.Optional(Type.String()),
    type: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
    tunes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);
export type Block = Static<typeof BlockSchema>;
