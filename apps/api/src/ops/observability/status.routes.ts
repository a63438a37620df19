import type { ServerStatus } from '@hub/contract';
import { serve } from '../../http/operations/serve.ts';
import type { NotificationDeps } from '../../notifications/notifications.ts';
import { isoTime } from '../../platform/time.ts';
import { backupView } from '../../workspace/backups/backups.ts';
import { readNodeStatus } from './node-status.ts';

export function statusRoutes(deps: NotificationDeps) {
  const { server } = deps;
  return serve({
    'GET /': () => ({ name: 'hub', version: server.version, baseUrl: server.baseUrl() }),
    'GET /status': () => readStatus(deps),
    'GET /nodes': async () => (await deps.node?.list()) ?? { items: [], missing: [] },
  });
}

async function readStatus(
  deps: Pick<NotificationDeps, 'store' | 'clock' | 'server' | 'node' | 'live' | 'notifications'>,
): Promise<ServerStatus> {
  const { store, clock, server } = deps;
  const problem = deps.notifications.pushProblem;
  const { last } = store.backups.history();
  const [totals, node] = await Promise.all([store.workspace.totals(clock.now()), readNodeStatus(deps)]);
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
