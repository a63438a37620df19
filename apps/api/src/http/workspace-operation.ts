import type { TSchema } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';

/** One operation of the workspace API as the OpenAPI document tells of it. */
export function workspaceOperation(operationId: string, summary: string, body?: TSchema): DocumentDecoration {
  return {
    operationId,
    summary,
    tags: ['Workspace API'],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
  } as unknown as DocumentDecoration;
}
