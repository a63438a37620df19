import { Created, LIMITS, SCOPES, type Scope } from '@hub/contract';
import { type TSchema, Type } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { errorsBy, postErrors, postHeaders } from '../http/openapi/errors.ts';
import { keySecurity } from '../http/openapi/security.ts';
import { contextOf, keyOf } from '../http/request-context.ts';
import type { LiveDeps } from '../live/live-server.ts';
import type { CreatedPost, PostOrigin } from './create-post.ts';

interface PublicOperation<Data extends TSchema> {
  operationId: string;
  summary: string;
  /** Additional facts about the operation, before those that all have in common. */
  description?: string;
  scope: Scope;
  body: TSchema;
  /** The field of a form that may contain the JSON instead. */
  formField?: string;
  /** The `data` of the 201. */
  created: Data;
}

/**
 * Returns the options of a public API route: how it validates the response, and its part of the OpenAPI document. The
 * body is left to `readJsonBody`, which runs after the gate.
 */
export function publicOperation<Data extends TSchema>({
  operationId,
  summary,
  description = '',
  scope,
  body,
  formField,
  created,
}: PublicOperation<Data>) {
  const response = Created(created);
  const form = formField !== undefined && Type.Object({ [formField]: Type.String({ description: 'The JSON.' }) });
  const detail = {
    operationId,
    summary,
    description:
      `${description && `${description}\n\n`}Requires the scope \`${scope}\` ("${SCOPES[scope]}"). Every accepted request creates a new item: there is no ` +
      'deduplication, so retrying a request after a lost response can create a second item.',
    security: keySecurity,
    requestBody: {
      description: `At most ${LIMITS.bodyBytes.toLocaleString('en')} bytes (1 MiB).`,
      required: true,
      content: {
        'application/json': { schema: body },
        ...(form && { 'application/x-www-form-urlencoded': { schema: form } }),
      },
    },
    responses: {
      201: {
        description: 'Created, and flushed to disk.',
        headers: postHeaders,
        content: { 'application/json': { schema: response } },
      },
      ...errorsBy(postErrors, Object.keys(postErrors).map(Number) as (keyof typeof postErrors)[]),
    },
  };
  return {
    parse: 'none' as const,
    response: { 201: response },
    // Elysia types details as OpenAPI 3.0, which does not use JSON Schema.
    detail: detail as unknown as DocumentDecoration,
  };
}

/** Returns the source of a post: the key, address and ID of a request that passed the public gate. */
export function originOf(request: Request): PostOrigin {
  const { address, requestId } = contextOf(request);
  return { key: keyOf(request), address, requestId };
}

/** Returns the body of the 201, and records the post for the log. */
export function created<Data extends { id: string }>(
  { live }: Pick<LiveDeps, 'live'>,
  request: Request,
  { data, seq }: CreatedPost<Data>,
) {
  const { hubId } = keyOf(request);
  contextOf(request).posted = {
    hubId,
    itemId: data.id,
    seq,
    // Read with the log line, since an event that is not in memory is published a moment after the commit.
    get liveViews() {
      return live.reachOf({ hubId, seq });
    },
  };
  return { success: true as const, data };
}
