import { ChangeWorkspaceBody, WORKSPACE_API_PATH, Workspace } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeWorkspace, workspaceView } from './change-workspace.ts';

export function workspaceRoutes(deps: Deps) {
  return new Elysia({ name: 'workspace', prefix: `${WORKSPACE_API_PATH}/workspace` })
    .get(
      '',
      async () => workspaceView(await deps.store.workspace.find()),
      workspaceOperation({
        operationId: 'showWorkspace',
        summary: 'Show the workspace',
        access: 'member',
        status: 200,
        response: Workspace,
      }),
    )
    .patch(
      '',
      async ({ request }) => {
        const body = readPatch(ChangeWorkspaceBody, await readJsonBody(request), { noun: 'a workspace' });
        return changeWorkspace(deps, callerOf(request), body);
      },
      workspaceOperation({
        operationId: 'changeWorkspace',
        summary: 'Change the workspace',
        body: { schema: ChangeWorkspaceBody },
        status: 200,
        response: Workspace,
      }),
    );
}
