import { Page, Removal, RemovePostsBody, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { parseDateTime } from '../core/time.ts';
import { readOptionalJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { listRemovals, previewRemoval, removePosts, undoRemoval } from './removals.ts';

const keyId = idInPath('keyId', 'The id of the key (not the key itself).', 'key');

export function removalsRoutes(deps: Deps) {
  return new Elysia({ name: 'removals', prefix: `${WORKSPACE_API_PATH}/keys/:keyId/removals` })
    .get(
      '',
      ({ request, params }) => listRemovals(deps, params.keyId, readListQuery(request)),
      workspaceOperation({
        operationId: 'listRemovals',
        summary: 'List the removals of a key’s posts',
        parameters: [keyId, ...pageParameters],
        response: Page(Removal),
      }),
    )
    .post(
      '',
      async ({ request, params, status }) => {
        const { from, to, isPreview } = readFields(RemovePostsBody, await readOptionalJsonBody(request), {
          noun: 'a removal',
        });
        const range = { fromAt: timeOf(from), toAt: timeOf(to) };
        if (isPreview) return status(200, await previewRemoval(deps, params.keyId, range));
        return status(201, await removePosts(deps, callerOf(request), params.keyId, range));
      },
      workspaceOperation({
        operationId: 'removePosts',
        summary: 'Remove the posts by a key',
        description:
          'Removes all posts by a key, or those in a time range. You can undo this for 30 days. The key keeps working: revoke or replace it if it leaked.',
        parameters: [keyId],
        body: { schema: RemovePostsBody, isOptional: true },
        status: 201,
        repeated: { status: 200, description: 'A preview of how many posts would be removed. Nothing was changed.' },
        response: Removal,
      }),
    )
    .delete(
      '/:removalId',
      async ({ request, params }) => {
        await readNoFields(request, 'an undo');
        return undoRemoval(deps, callerOf(request), params);
      },
      workspaceOperation({
        operationId: 'undoRemoval',
        summary: 'Undo a removal',
        description: 'Restores the removed posts, except those that were also deleted individually.',
        parameters: [keyId, idInPath('removalId', 'The id of the removal.', 'rmv')],
        response: Removal,
        errors: [400, 409, 413, 415],
      }),
    );
}

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : parseDateTime(text);
}
