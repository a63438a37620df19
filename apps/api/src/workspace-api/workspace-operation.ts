import { Id, LIMITS } from '@hub/contract';
import { type TSchema, Type } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { ID_PATTERN } from '../core/ids.ts';
import { DATE_TIME_PATTERN } from '../core/time.ts';
import { type Access, contextOf } from '../http/request-context.ts';
import { avatarErrors, cookieHeaders, errorsBy, workspaceErrors, workspaceHeaders } from '../openapi/errors.ts';
import { audienceOf, securityOf } from '../openapi/security.ts';
import { requireAccess } from './workspace-gate.ts';

type ErrorStatus = keyof typeof workspaceErrors;

interface WorkspaceOperation<Status extends 200 | 201, Success extends TSchema, Repeated extends 200> {
  operationId: string;
  summary: string;
  description?: string;
  /** The status of a successful response; 200 by default. */
  status?: Status;
  response: Success;
  /** The media type of a response that is not JSON. */
  mediaType?: string;
  /** Headers of a successful response, in addition to those that every response has. */
  headers?: object;
  /** For a 201: describes the same response with another status, which means that the item already existed. */
  repeated?: { status: Repeated; description: string };
  /** The access rule; admins by default. */
  access?: Access;
  /**
   * For what lets someone in: in a session, the password must have been entered within 15 minutes. `always`: the route
   * checks it before anything else. Any other text says when the use case checks it (`requireConfirmed`).
   */
  confirmation?: 'always' | `for ${string}`;
  body?: Body;
  /** Whether the response starts or ends a session. */
  setsCookie?: boolean;
  parameters?: readonly Parameter[];
  /** Whether costly requests wait for the turn of their user; by default, those for lists do. */
  takesTurns?: boolean;
  /** Errors in addition to those implied by the rest of the description. */
  errors?: readonly ErrorStatus[];
}

interface Body {
  schema: TSchema;
  isOptional?: boolean;
  /** The media types of a body that is an image. */
  mediaTypes?: readonly string[];
}

/** A parameter in OpenAPI form. */
interface Parameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  description: string;
  schema: TSchema;
}

/**
 * Describes one operation of the workspace API: the response schema that its route validates, and its OpenAPI
 * documentation. `readJsonBody` reads the body.
 */
export function workspaceOperation<
  Success extends TSchema,
  Status extends 200 | 201 = 200,
  Repeated extends 200 = never,
>(operation: WorkspaceOperation<Status, Success, Repeated>) {
  const {
    operationId,
    summary,
    description,
    status = 200,
    response,
    access = 'admin',
    confirmation,
    body,
    parameters = [],
  } = operation;
  const { repeated, setsCookie = false, mediaType, headers } = operation;
  const { takesTurns = parameters.some((parameter) => parameter.name === 'limit') } = operation;
  const statuses: ErrorStatus[] = [405, 500, 503, ...(operation.errors ?? [])];
  if (access !== 'anyone') statuses.push(401, 429);
  if (access !== 'anyone' || body) statuses.push(403);
  if (body) statuses.push(400, 413, 415);
  else if (parameters.some((parameter) => parameter.in === 'query')) statuses.push(400);
  if (statuses.includes(413)) statuses.push(408);
  if (parameters.some((parameter) => parameter.in === 'path')) statuses.push(404);

  const detail = {
    operationId,
    summary,
    description: [description, audienceOf(access), confirmation && confirmationText(confirmation)]
      .filter(Boolean)
      .join('\n\n'),
    'x-access': access,
    ...(confirmation && { 'x-confirmation': confirmation }),
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
    beforeHandle: async ({ request }: { request: Request }) => {
      requireAccess(request, access);
      if (takesTurns) await contextOf(request).takeTurn?.();
      if (confirmation === 'always') await contextOf(request).requireConfirmed?.();
    },
    response: { [status]: response, ...(repeated ? { [repeated.status]: response } : {}) } as Record<
      Status | Repeated,
      Success
    >,
    // Elysia types details as OpenAPI 3.0, which does not use JSON Schema.
    detail: detail as unknown as DocumentDecoration,
  };
}

function confirmationText(confirmation: string): string {
  const when = confirmation === 'always' ? '' : ` ${confirmation}`;
  return `In a session, the password must have been entered within 15 minutes${when}: otherwise 403 with \`Hub-Confirmation: password\`. \`POST /session/confirmation\` renews it.`;
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

/** Describes an id in the path. `prefix` is that of its kind. */
export function idInPath(name: string, description: string, prefix: string): Parameter {
  return { name, in: 'path', required: true, description, schema: Id(prefix) };
}

/** The text of a parameter: not empty, and without NUL characters. */
const parameterText = Type.String({ minLength: 1, pattern: '^[^\\u0000]*$' });

export function filter(name: string, description: string, schema: TSchema = parameterText): Parameter {
  return { name, in: 'query', required: false, description, schema };
}

/** A date-time parameter. */
export const instantParameter = Type.String({ format: 'date-time', pattern: DATE_TIME_PATTERN });

/** Describes a filter with a few allowed values. */
export function choice(name: string, description: string, text: readonly string[]): Parameter {
  return filter(name, description, Type.Union(text.map((word) => Type.Literal(word))));
}

/** The parameters of every list. */
export const pageParameters: readonly Parameter[] = [
  filter(
    'limit',
    'The maximum number of items per page.',
    Type.Integer({ minimum: 1, maximum: LIMITS.pageItems, default: 50 }),
  ),
  filter(
    'before',
    'Returns only items older than this: the `next` of the previous page.',
    Type.String({ pattern: ID_PATTERN }),
  ),
];
