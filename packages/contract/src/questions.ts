import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { Id, Name, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { UserRef } from './users.ts';

/** The roles that a question can name instead of a user: admins include owners. */
export const ANSWERING_ROLES = ['admin', 'owner'] as const;

const choice = Name({ maxLength: LIMITS.choiceCodePoints, examples: ['yes'] });
const choices = Type.Array(choice, {
  minItems: 2,
  maxItems: LIMITS.questionChoices,
  description:
    'The labels to choose from: 2 to 10 that look different, in case as well. Without them, the first reply answers the question.',
  examples: [['yes', 'no']],
});
const answerBy = Type.Array(Id('usr'), {
  minItems: 1,
  maxItems: LIMITS.questionAnswerers,
  description: 'Who may answer: IDs of members, `admin` or `owner`. By default, every member of the Hub.',
  examples: [['admin']],
});

/** The question of a message. The first answer closes it, or its expiry. */
export const Question = Type.Object(
  {
    choices: OrNull(choices),
    answerBy: OrNull(answerBy),
    expiresAt: Timestamp('It can be answered before this time.'),
    state: Type.Union([Type.Literal('open'), Type.Literal('answered'), Type.Literal('expired')]),
    answer: OrNull(
      Type.Object(
        {
          choice: OrNull(Type.String({ examples: ['yes'] })),
          replyId: OrNull(Type.String({ description: 'The reply that answered it, if it has no choices.' }), unset),
          by: UserRef,
          at: Timestamp('When it was answered.'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Question = Static<typeof Question>;

export const AskedQuestion = Type.Object(
  {
    choices: Type.Optional(choices),
    answerBy: Type.Optional(answerBy),
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: `At most ${LIMITS.questionDays} days from now.` }),
    ),
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.questionDays * 24 * 60 * 60,
        description: 'Instead of `expiresAt`, from when the server accepts it.',
        examples: [1_800],
      }),
    ),
  },
  {
    additionalProperties: false,
    oneOf: [{ required: ['expiresAt'] }, { required: ['expiresInSeconds'] }],
    description: 'Makes the message a question, whose text is required.',
  },
);
export type AskedQuestion = Static<typeof AskedQuestion>;

export const AnswerQuestionBody = Type.Object({ choice }, { additionalProperties: false });
