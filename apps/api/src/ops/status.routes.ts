import { ServerInfo, ServerStatus, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { readStatus } from './read-status.ts';

export function statusRoutes(deps: Deps) {
  return new Elysia({ name: 'status', prefix: WORKSPACE_API_PATH })
    .get('', () => ({ name: 'hub' as const, version: deps.server.version, baseUrl: deps.server.baseUrl() }), {
      response: ServerInfo,
      detail: workspaceOperation('showServer', 'What this server is'),
    })
    .get('/status', () => readStatus(deps), {
      response: ServerStatus,
      detail: workspaceOperation('showStatus', 'How this server does'),
    });
}
