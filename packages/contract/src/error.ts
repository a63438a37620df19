import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './timestamp.ts';

/** The body of every error: exactly these four fields. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'The HTTP status code.', examples: [400] }),
    message: Type.String({
      description: 'A readable message that says what was wrong and what to change.',
      examples: ['dueDte is not a field of a to-do; did you mean dueDate?'],
    }),
    timestamp: Timestamp('When the request was rejected.'),
    path: Type.String({
      description: 'The path of the request, without its query.',
      examples: ['/api/public/v1/todos'],
    }),
  },
  { additionalProperties: false, description: 'An error. Programs should use `statusCode`; `message` is for display.' },
);
export type ErrorBody = Static<typeof ErrorBody>;
