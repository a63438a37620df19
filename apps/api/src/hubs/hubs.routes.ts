import { ChangeHubBody, CreateHubBody, Hub, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readPatch } from '../http/read-patch.ts';
import { readChoice, readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { choice, idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { changeHub } from './change-hub.ts';
import { createHub } from './create-hub.ts';
import { deleteHub } from './delete-hub.ts';
import { findHub } from './find-hub.ts';
import { hubView } from './hub-view.ts';
import { listHubs } from './list-hubs.ts';
import { restoreHub } from './restore-hub.ts';

const FILTERS = ['live', 'deleted', 'all'] as const;
const hubId = idInPath('hubId', 'The id of the Hub.');

export function hubsRoutes(deps: Deps) {
  return new Elysia({ name: 'hubs', prefix: `${WORKSPACE_API_PATH}/hubs` })
    .get(
      '',
      ({ request }) => {
        const { state, ...page } = readListQuery(request, ['state']);
        return listHubs(deps, { ...page, filter: readChoice('state', state, FILTERS) ?? 'live' });
      },
      workspaceOperation({
        operationId: 'listHubs',
        summary: 'List Hubs',
        parameters: [
          ...pageParameters,
          choice('state', 'Which Hubs; those that are not deleted if left out.', FILTERS),
        ],
        status: 200,
        answer: Page(Hub),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreateHubBody, await readJsonBody(request), { noun: 'a Hub' });
        return status(201, await createHub(deps, callerOf(request), body));
      },
      workspaceOperation({
        operationId: 'createHub',
        summary: 'Create a Hub',
        body: { schema: CreateHubBody },
        status: 201,
        answer: Hub,
      }),
    )
    .get(
      '/:hubId',
      async ({ params }) => hubView(await findHub(deps, params.hubId)),
      workspaceOperation({
        operationId: 'showHub',
        summary: 'Show a Hub',
        parameters: [hubId],
        status: 200,
        answer: Hub,
      }),
    )
    .patch(
      '/:hubId',
      async ({ request, params }) => {
        const body = readPatch(ChangeHubBody, await readJsonBody(request), { noun: 'a Hub' });
        return changeHub(deps, callerOf(request), params.hubId, body);
      },
      workspaceOperation({
        operationId: 'changeHub',
        summary: 'Change a Hub',
        parameters: [hubId],
        body: { schema: ChangeHubBody },
        status: 200,
        answer: Hub,
      }),
    )
    .delete(
      '/:hubId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return deleteHub(deps, callerOf(request), params.hubId);
      },
      workspaceOperation({
        operationId: 'deleteHub',
        summary: 'Delete a Hub',
        description: 'Its keys answer 404 from then on. Nothing is erased: it can be restored.',
        parameters: [hubId],
        status: 200,
        answer: Hub,
        refusals: [400, 413, 415],
      }),
    )
    .post(
      '/:hubId/restoration',
      async ({ request, params }) => {
        await readNoFields(request, 'a restoration');
        return restoreHub(deps, callerOf(request), params.hubId);
      },
      workspaceOperation({
        operationId: 'restoreHub',
        summary: 'Restore a deleted Hub',
        parameters: [hubId],
        status: 200,
        answer: Hub,
        refusals: [400, 413, 415],
      }),
    );
}
