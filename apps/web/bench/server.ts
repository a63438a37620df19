import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HubServer } from '@hub/testkit/server';

/** Starts the real server with an empty data folder, as `bun run start` does. */
export async function startServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-web-'));
  const server = await new HubServer(dataDir, { env: { HUB_LOG_LEVEL: 'info' } }).start();
  return {
    url: server.url,
    admin: server.admin,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type BenchServer = Awaited<ReturnType<typeof startServer>>;
