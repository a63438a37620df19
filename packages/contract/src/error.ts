import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './timestamp.ts';

/** The one error body of the whole server: exactly these four fields. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'The HTTP status again.', examples: [400] }),
    message: Type.String({
      description: 'What was wrong and what to change, for a person to read.',
      examples: ['dueDte is not a field of a to-do; did you mean dueDate?'],
    }),
    timestamp: Timestamp('When the request was refused.'),
    path: Type.String({
      description: 'The path of the request, without its query.',
      examples: ['/api/public/v1/todos'],
    }),
  },
  { additionalProperties: false, description: 'An error. Programs should look at `statusCode`, people at `message`.' },
);
export type ErrorBody = Static<typeof ErrorBody>;
