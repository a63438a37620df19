import { ServerInfo, ServerStatus, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { readStatus } from './read-status.ts';

export function statusRoutes(deps: Deps) {
  return new Elysia({ name: 'status', prefix: WORKSPACE_API_PATH })
    .get(
      '',
      () => ({ name: 'hub' as const, version: deps.server.version, baseUrl: deps.server.baseUrl() }),
      workspaceOperation({
        operationId: 'showServer',
        summary: 'Show the name and version of the server',
        description: 'Needs no authentication.',
        access: 'anyone',
        status: 200,
        response: ServerInfo,
      }),
    )
    .get(
      '/status',
      () => readStatus(deps),
      workspaceOperation({
        operationId: 'showStatus',
        summary: 'Show the status of the server',
        status: 200,
        response: ServerStatus,
      }),
    );
}
