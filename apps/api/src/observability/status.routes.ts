import { ServerInfo, ServerStatus, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import { backupView } from '../backups/backups.ts';
import type { Deps } from '../context/deps.ts';
import { isoTime } from '../core/time.ts';
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { readNodeStatus } from './node-status.ts';

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

/** Returns the status that `hubctl status` shows. */
async function readStatus(
  deps: Pick<Deps, 'store' | 'clock' | 'server' | 'node' | 'live' | 'notifications'>,
): Promise<ServerStatus> {
  const { store, clock, server } = deps;
  const problem = deps.notifications.pushProblem;
  const { last } = store.backups.history();
  const [totals, node] = await Promise.all([store.totals(clock.now()), readNodeStatus(deps)]);
  return {
    version: server.version,
    baseUrl: server.baseUrl(),
    plainHttpHost: server.plainHttpHost,
    startedAt: isoTime(server.startedAt),
    uptimeSeconds: Math.max(0, Math.floor((clock.monotonic() - server.startedAtMonotonic) / 1000)),
    dataDir: server.dataDir,
    storage: node === null ? 'sqlite' : 'postgresql',
    node,
    ...store.sizes(),
    ...totals,
    lastBackup: last && backupView(last),
    pushProblem: problem && { message: problem.message, at: isoTime(problem.at) },
  };
}
