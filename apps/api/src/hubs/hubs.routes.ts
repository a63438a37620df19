import { CreateHubBody, Hub, Page, RenameHubBody, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readChoice, readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { createHub } from './create-hub.ts';
import { deleteHub } from './delete-hub.ts';
import { findHub } from './find-hub.ts';
import { hubView } from './hub-view.ts';
import { listHubs } from './list-hubs.ts';
import { renameHub } from './rename-hub.ts';
import { restoreHub } from './restore-hub.ts';

const FILTERS = ['live', 'deleted', 'all'] as const;

export function hubsRoutes(deps: Deps) {
  return new Elysia({ name: 'hubs', prefix: `${WORKSPACE_API_PATH}/hubs` })
    .get(
      '',
      ({ request }) => {
        const { state, ...page } = readListQuery(request, ['state']);
        return listHubs(deps, { ...page, filter: readChoice('state', state, FILTERS) ?? 'live' });
      },
      { response: Page(Hub), detail: workspaceOperation('listHubs', 'List Hubs') },
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreateHubBody, await readJsonBody(request), { noun: 'a Hub' });
        return status(201, await createHub(deps, callerOf(request), body));
      },
      {
        parse: 'none',
        response: { 201: Hub },
        detail: workspaceOperation('createHub', 'Create a Hub', CreateHubBody),
      },
    )
    .get('/:hubId', async ({ params }) => hubView(await findHub(deps, params.hubId)), {
      response: Hub,
      detail: workspaceOperation('showHub', 'Show a Hub'),
    })
    .patch(
      '/:hubId',
      async ({ request, params }) => {
        const body = readFields(RenameHubBody, await readJsonBody(request), { noun: 'a Hub' });
        return renameHub(deps, callerOf(request), params.hubId, body);
      },
      { parse: 'none', response: Hub, detail: workspaceOperation('renameHub', 'Rename a Hub', RenameHubBody) },
    )
    .delete('/:hubId', ({ request, params }) => deleteHub(deps, callerOf(request), params.hubId), {
      parse: 'none',
      response: Hub,
      detail: workspaceOperation('deleteHub', 'Delete a Hub'),
    })
    .post('/:hubId/restoration', ({ request, params }) => restoreHub(deps, callerOf(request), params.hubId), {
      parse: 'none',
      response: Hub,
      detail: workspaceOperation('restoreHub', 'Restore a deleted Hub'),
    });
}
