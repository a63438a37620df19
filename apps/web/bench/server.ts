import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dir, '../../api/src/main.ts');
const START_MS = 10_000;

/** Starts the real server with an empty data folder, as `bun run start` does. */
export async function startServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-web-'));
  const port = await freePort();
  const process = Bun.spawn([Bun.argv[0] ?? 'bun', MAIN], {
    // One user fills a Hub with thousands of messages.
    env: { ...Bun.env, HUB_DATA_DIR: dataDir, HUB_PORT: String(port), HUB_MAX_REQUESTS_PER_MINUTE: '1000000' },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    url,
    /** Sends a request as the local admin. @throws Error for an error response. */
    admin: async <T>(method: string, path: string, body?: object): Promise<T> => {
      const response = await fetch(`http://localhost/api/v1${path}`, {
        method,
        unix: join(dataDir, 'admin.sock'),
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    [Symbol.asyncDispose]: async () => {
      process.kill();
      await process.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type BenchServer = Awaited<ReturnType<typeof startServer>>;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error('The server did not start');
}
