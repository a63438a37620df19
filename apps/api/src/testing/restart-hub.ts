import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestHub, type TestHub } from './start-test-hub.ts';

/** Stops a server gracefully and starts another one on the same data and clock. */
export async function restartHub(hub: TestHub): Promise<TestHub> {
  await hub.stop();
  return startTestHub({ clock: hub.clock, dataDir: hub.dataDir });
}

/** Starts another server on the data that would be on disk if this one were killed now. */
export async function startAfterKill(hub: TestHub): Promise<TestHub> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-killed-'));
  for (const name of ['hub.db', 'hub.db-wal']) {
    if (existsSync(join(hub.dataDir, name))) cpSync(join(hub.dataDir, name), join(dataDir, name));
  }
  return startTestHub({ clock: hub.clock, dataDir });
}

/** Takes a backup of a server and starts another server on it. */
export async function startRestored(hub: TestHub): Promise<TestHub> {
  const backup = await hub.admin.raw('POST', '/backups');
  return startOnDatabase(hub, await backup.bytes());
}

/** Starts a server on a new folder that contains only this database. */
export function startOnDatabase(
  { clock }: Pick<TestHub, 'clock'>,
  database: Uint8Array,
  options: { baseUrl?: string } = {},
): Promise<TestHub> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-restored-'));
  writeFileSync(join(dataDir, 'hub.db'), database);
  return startTestHub({ ...options, clock, dataDir });
}
