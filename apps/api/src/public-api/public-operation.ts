import { ErrorBody, LIMITS, RATE_LIMIT, SCOPES, type Scope } from '@hub/contract';
import type { TSchema } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';

const errorAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorBody } },
});

const REFUSALS = {
  400: errorAnswer('Malformed JSON or an invalid body. The message names the field and what to change.'),
  401: errorAnswer('The key is missing, malformed, unknown, expired or revoked.'),
  403: errorAnswer(
    `With \`Retry-After\` (seconds): the key sent more than ${RATE_LIMIT.requests} requests within ` +
      `${RATE_LIMIT.windowSeconds} seconds and is blocked for ${RATE_LIMIT.blockSeconds}. Without: the key lacks the scope.`,
  ),
  404: errorAnswer("The key's Hub was deleted."),
  413: errorAnswer(`The body has more than ${LIMITS.bodyBytes} bytes.`),
  415: errorAnswer('The Content-Type is not JSON.'),
  500: errorAnswer('A fault in the server. Whether the item was created is not known.'),
  503: errorAnswer('The server cannot write at the moment. Nothing was created.'),
};

interface PublicOperation {
  operationId: string;
  summary: string;
  scope: Scope;
  body: TSchema;
}

/** One operation of the public API as the OpenAPI document tells of it. */
export function publicOperation({ operationId, summary, scope, body }: PublicOperation): DocumentDecoration {
  return {
    operationId,
    summary,
    description:
      `Needs the scope \`${scope}\` ("${SCOPES[scope]}"). Every accepted request makes a new item: there is no ` +
      'deduplication, so a request that is repeated after a lost answer can make a second one.',
    tags: ['Public API'],
    security: [{ key: [] }],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 201: { description: 'Created, and flushed to disk.' }, ...REFUSALS },
  } as unknown as DocumentDecoration;
}
