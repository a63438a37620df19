import type { ServerStatus } from '@hub/contract';
import { backupView } from '../backups/backup-view.ts';
import type { Deps } from '../context/deps.ts';
import { isoTime } from '../core/time.ts';

/** Returns the status that `hubctl status` shows. */
export async function readStatus({
  store,
  clock,
  server,
}: Pick<Deps, 'store' | 'clock' | 'server'>): Promise<ServerStatus> {
  const { last } = store.backups.history();
  const totals = await store.totals(clock.now());
  return {
    version: server.version,
    baseUrl: server.baseUrl(),
    plainHttpHost: server.plainHttpHost,
    startedAt: isoTime(server.startedAt),
    uptimeSeconds: Math.max(0, Math.floor((clock.monotonic() - server.startedAtMonotonic) / 1000)),
    dataDir: server.dataDir,
    ...store.sizes(),
    ...totals,
    lastBackup: last && backupView(last),
  };
}
