import { LIMITS, SCOPES } from '@hub/contract';
import { type ErrorStatus, type OperationDeclaration, PATH_PARAMETERS } from '@hub/contract/operations/operation';
import type { PublicOperationDeclaration } from '@hub/contract/operations/public';
import { OptionalKind, type TSchema, Type } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import {
  avatarErrors,
  cookieHeaders,
  errorsBy,
  fileErrors,
  postErrors,
  postHeaders,
  workspaceErrors,
  workspaceHeaders,
} from '../openapi/errors.ts';
import { audienceOf, keySecurity, securityOf } from '../openapi/security.ts';

/** An operation of the public API, which has a scope, or of the workspace API. */
type Declaration = OperationDeclaration & Partial<PublicOperationDeclaration>;

/** Describes an operation for the OpenAPI document. */
export function describeOperation(operation: string, declared: Declaration): DocumentDecoration {
  const { id, summary, description, scope, access = 'admin', confirmation, body, success } = declared;
  const { repeated, setsCookie = false, mediaTypes, status = scope ? 201 : 200 } = declared;
  const audience = scope ? audienceOfKeys(declared) : audienceOf(access);
  const headers = scope ? postHeaders : setsCookie ? cookieHeaders : workspaceHeaders;
  const keyErrors = mediaTypes ? { ...postErrors, ...fileErrors } : postErrors;
  const outcome = scope ? 'Created, and flushed to disk.' : status === 201 ? 'Created.' : 'Done.';
  const detail = {
    operationId: id,
    summary,
    description: [description, audience, confirmation && confirmationText(confirmation)].filter(Boolean).join('\n\n'),
    ...(!scope && { 'x-access': access }),
    ...((!scope || declared.query) && { parameters: [...pathParameters(operation), ...queryParameters(declared)] }),
    ...(confirmation && { 'x-confirmation': confirmation }),
    security: scope ? keySecurity : securityOf(access),
    ...(body && { requestBody: requestBody(body, declared) }),
    responses: {
      [status]: response(outcome, success, { ...headers, ...declared.headers }),
      ...(repeated && { 200: response(repeated, success, workspaceHeaders) }),
      ...(scope ? errorsBy(keyErrors) : errorsBy(errorsOf(mediaTypes), errorStatuses(operation, declared))),
    },
  };
  // Elysia types details as OpenAPI 3.0, which does not use JSON Schema.
  return detail as unknown as DocumentDecoration;
}

function audienceOfKeys({ scope, kind }: Declaration): string {
  const keys =
    scope === undefined || scope === 'any'
      ? 'Every key may do this.'
      : `Requires the scope \`${scope}\` ("${SCOPES[scope]}").`;
  if (!kind) return keys;
  return `${keys} Every accepted request creates a new item: there is no deduplication, so retrying a request after a lost response can create a second item.`;
}

function errorsOf(mediaTypes: OperationDeclaration['mediaTypes']) {
  if (!mediaTypes) return workspaceErrors;
  return mediaTypes.includes('*/*') ? { ...workspaceErrors, ...fileErrors } : avatarErrors;
}

function errorStatuses(operation: string, { access, body, noun, query, errors = [] }: OperationDeclaration) {
  const statuses: ErrorStatus[] = [405, 500, 503, ...errors];
  if (access !== 'anyone') statuses.push(401, 429);
  if (access !== 'anyone' || body) statuses.push(403);
  if (body || noun) statuses.push(400, 408, 413, 415);
  else if (query) statuses.push(400);
  if (operation.includes('{')) statuses.push(404);
  return statuses;
}

function pathParameters(operation: string) {
  return [...operation.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { description, ...schema } = PATH_PARAMETERS[name] as TSchema;
    return { name, in: 'path', required: true, description, schema };
  });
}

function queryParameters({ query = {} }: OperationDeclaration) {
  return Object.entries(query).map(([name, { description, rule: _, ...schema }]) => {
    return { name, in: 'query', required: !(OptionalKind in schema), description, schema };
  });
}

function confirmationText(confirmation: string): string {
  const when = confirmation === 'always' ? '' : ` ${confirmation}`;
  return `In a session, the password must have been entered within 15 minutes${when}: otherwise 403 with \`Hub-Confirmation: password\`. \`POST /session/confirmation\` renews it.`;
}

function response(description: string, schema: TSchema, headers: object) {
  return { description, headers, content: { [schema.contentMediaType ?? 'application/json']: { schema } } };
}

function requestBody(schema: TSchema, { access, mediaTypes, maxBytes, formField }: Declaration) {
  const most = maxBytes ?? (access === 'anyone' ? LIMITS.openBodyBytes : LIMITS.bodyBytes);
  const [mib, kib] = [most / 1024 ** 2, most / 1024];
  const inText = mib >= 1 ? `${mib} MiB` : `${kib} KiB`;
  const form = formField !== undefined && Type.Object({ [formField]: Type.String({ description: 'The JSON.' }) });
  return {
    description: `At most ${most.toLocaleString('en')} bytes (${inText}).`,
    required: !(OptionalKind in schema),
    content: {
      ...Object.fromEntries((mediaTypes ?? ['application/json']).map((type) => [type, { schema }])),
      ...(form && { 'application/x-www-form-urlencoded': { schema: form } }),
    },
  };
}
