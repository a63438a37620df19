import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { TODO_FIELD_NAMES } from './todo-fields.ts';
import { UserRef } from './users.ts';

const FIELDS = ['assignee', ...TODO_FIELD_NAMES, 'status'] as const;

/** A change of a to-do. `by` is `null` for the local admin. */
export const TodoChange = Type.Object(
  {
    field: Type.Union(
      FIELDS.map((field) => Type.Literal(field)),
      { examples: ['assignee'] },
    ),
    to: OrNull(Type.String({ description: 'The new value; of an assignee, the name.', examples: ['Ada Lovelace'] })),
    at: Timestamp('When it was changed.'),
    by: OrNull(UserRef),
  },
  { additionalProperties: false },
);
export type TodoChange = Static<typeof TodoChange>;
