import { LIMITS } from '@hub/contract';
import { type TSchema, Type } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { DATE_TIME_PATTERN } from '../date-time.ts';
import { ID_PATTERN } from '../ids.ts';
import { avatarErrors, cookieHeaders, errorsBy, workspaceErrors, workspaceHeaders } from '../ops/openapi-errors.ts';
import { audienceOf, securityOf } from '../ops/openapi-security.ts';
import { type Access, requireAccess } from './workspace-gate.ts';

type ErrorStatus = keyof typeof workspaceErrors;

interface WorkspaceOperation<Status extends 200 | 201, HubResponse extends TSchema, Repeated extends 200 = never> {
  operationId: string;
  summary: string;
  description?: string;
  /** Of the success. */
  status: Status;
  response: HubResponse;
  /** Of an answer that is not JSON. */
  mediaType?: string;
  /** Header fields of the success, beyond those of every answer. */
  headers?: object;
  /** Of a 201: the same answer with 200 says that it was there already. */
  repeated?: { status: Repeated; description: string };
  /** Whom it is for; admins alone, if nothing is said. */
  access?: Access;
  body?: Body;
  /** The answer begins or ends a session. */
  setsCookie?: boolean;
  parameters?: readonly Parameter[];
  /** Refusals beyond those that follow from the rest of the description. */
  errors?: readonly ErrorStatus[];
}

interface Body {
  schema: TSchema;
  isOptional?: boolean;
  /** Of a body that is a picture and no JSON. */
  mediaTypes?: readonly string[];
}

/** As OpenAPI writes it. */
interface Parameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  description: string;
  schema: TSchema;
}

/**
 * One operation of the workspace API, as its route validates the answer and as the OpenAPI document tells of it. The body
 * is left to `readJsonBody`.
 */
export function workspaceOperation<Status extends 200 | 201, HubResponse extends TSchema, Repeated extends 200 = never>(
  operation: WorkspaceOperation<Status, HubResponse, Repeated>,
) {
  const { operationId, summary, description, status, response, access = 'admin', body, parameters = [] } = operation;
  const { repeated, setsCookie = false, mediaType, headers } = operation;
  const statuses: ErrorStatus[] = [405, 500, ...(operation.errors ?? [])];
  statuses.push(503);
  if (access !== 'anyone') statuses.push(401, 429);
  if (access !== 'anyone' || body) statuses.push(403);
  if (body) statuses.push(400, 413, 415);
  else if (parameters.some((parameter) => parameter.in === 'query')) statuses.push(400);
  if (statuses.includes(413)) statuses.push(408);
  if (parameters.some((parameter) => parameter.in === 'path')) statuses.push(404);

  const detail = {
    operationId,
    summary,
    description: [description, audienceOf(access)].filter(Boolean).join('\n\n'),
    'x-access': access,
    security: securityOf(access),
    parameters,
    ...(body ? { requestBody: requestBody(body, access) } : {}),
    responses: {
      [status]: success(status === 201 ? 'Created.' : 'Done.', response, {
        headers: { ...(setsCookie ? cookieHeaders : workspaceHeaders), ...headers },
        mediaType,
      }),
      ...(repeated ? { [repeated.status]: success(repeated.description, response) } : {}),
      ...errorsBy(body?.mediaTypes ? avatarErrors : workspaceErrors, statuses),
    },
  };
  return {
    parse: 'none' as const,
    beforeHandle: ({ request }: { request: Request }) => requireAccess(request, access),
    response: { [status]: response, ...(repeated ? { [repeated.status]: response } : {}) } as Record<
      Status | Repeated,
      HubResponse
    >,
    // Elysia types details as OpenAPI 3.0, whose schemas are not those of JSON Schema.
    detail: detail as unknown as DocumentDecoration,
  };
}

function success(
  description: string,
  schema: TSchema,
  {
    headers = workspaceHeaders,
    mediaType = 'application/json',
  }: { headers?: object; mediaType?: string | undefined } = {},
) {
  return { description, headers, content: { [mediaType]: { schema } } };
}

function requestBody({ schema, isOptional = false, mediaTypes }: Body, access: Access) {
  const json =
    access === 'anyone' ? ([LIMITS.openBodyBytes, '16 KiB'] as const) : ([LIMITS.bodyBytes, '1 MiB'] as const);
  const [most, inText] = mediaTypes ? [LIMITS.avatarBytes, '256 KiB'] : json;
  return {
    description: `At most ${most.toLocaleString('en')} bytes (${inText}).`,
    required: !isOptional,
    content: Object.fromEntries((mediaTypes ?? ['application/json']).map((type) => [type, { schema }])),
  };
}

/** A part of the path: the id of the thing that the operation is about. */
export function idInPath(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: Type.String() };
}

/** The text of a parameter: none, and a NUL character, are refused. */
const parameterText = Type.String({ minLength: 1, pattern: '^[^\\u0000]*$' });

export function filter(name: string, description: string, schema: TSchema = parameterText): Parameter {
  return { name, in: 'query', required: false, description, schema };
}

/** A parameter that is a date and a time. */
export const instantParameter = Type.String({ format: 'date-time', pattern: DATE_TIME_PATTERN });

/** A filter that takes one of a few words. */
export function choice(name: string, description: string, text: readonly string[]): Parameter {
  return filter(name, description, Type.Union(text.map((word) => Type.Literal(word))));
}

/** The parameters of every list. */
export const pageParameters: readonly Parameter[] = [
  filter(
    'limit',
    'How many items a page has at most.',
    Type.Integer({ minimum: 1, maximum: LIMITS.pageItems, default: 50 }),
  ),
  filter(
    'before',
    'Only what is older than this: the `next` of the page before.',
    Type.String({ pattern: ID_PATTERN }),
  ),
];
