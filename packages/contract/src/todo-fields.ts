import { type Static, type TNull, type TOptional, type TSchema, type TUnion, Type } from '@sinclair/typebox';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

export const PrioritySchema = Type.Union(
  [Type.Literal('LOW'), Type.Literal('MEDIUM'), Type.Literal('HIGH'), Type.Literal('URGENT')],
  { description: 'How urgent it is.', examples: ['HIGH'] },
);
export type Priority = Static<typeof PrioritySchema>;

/**
 * The fields of a to-do besides its text, files, assignee and status, as they are sent and as they are shown. Each
 * is optional when a to-do is created, and a change can clear it. The bodies, the item, its columns, the history of its
 * changes and the fields that the web app can change follow from this table.
 */
export const TODO_FIELDS = {
  dueDate: {
    sent: Type.String({
      description:
        'A date and a time with `Z` or an offset (RFC 3339); seconds are optional. It must be a valid calendar date, and ' +
        '`:60` is accepted only at 23:59:60 UTC. Stored as an instant, shown in UTC.',
      format: 'date-time',
      examples: ['2026-03-14T17:00:00+01:00', '2026-03-14T16:00:00Z'],
    }),
    shown: Timestamp('When it is due.', '2026-03-14T16:00:00.000Z'),
  },
  priority: { sent: PrioritySchema, shown: PrioritySchema },
};

type Fields = typeof TODO_FIELDS;
export type TodoField = keyof Fields;

export const TODO_FIELD_NAMES = Object.keys(TODO_FIELDS) as TodoField[];

function eachField<Schemas>(schemaOf: (field: { sent: TSchema; shown: TSchema }) => TSchema): Schemas {
  return Object.fromEntries(TODO_FIELD_NAMES.map((name) => [name, schemaOf(TODO_FIELDS[name])])) as Schemas;
}

/** The fields in a body that creates a to-do, in one that changes it, and in responses. */
export const createdTodoFields = eachField<{ [Name in TodoField]: TOptional<Fields[Name]['sent']> }>(({ sent }) =>
  Type.Optional(sent),
);
export const changedTodoFields = eachField<{ [Name in TodoField]: TOptional<TUnion<[Fields[Name]['sent'], TNull]>> }>(
  ({ sent }) => Type.Optional(OrNull(sent)),
);
export const shownTodoFields = eachField<{ [Name in TodoField]: TUnion<[Fields[Name]['shown'], TNull]> }>(({ shown }) =>
  OrNull(shown),
);
