import { join } from 'node:path';
import { sourceChange } from './source-change.ts';

export const REPOSITORY = join(import.meta.dir, '../../..');
const MAIN = join(REPOSITORY, 'apps/api/src/main.ts');

export interface ServerOptions {
  readonly dataDir: string;
  /** The data folder; by default the server creates it. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags for Bun, such as a preload. */
  readonly bunFlags?: readonly string[];
  /** A command that runs the server, such as a tracer. It must exit with the server. */
  readonly under?: readonly string[];
}

export interface ServerProcess {
  readonly dataDir: string;
  readonly adminSocket: string;
  /** Resolves once the server is ready. Rejects if it exits first. */
  serving(): Promise<Serving>;
  /** The spawned process: the server itself, unless it runs under another command. */
  readonly pid: number;
  /** Sends a signal, unless the server has exited, since its process ID may already have been reused. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code once all output has been read. */
  ended(): Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

export interface Serving {
  readonly port: number;
  readonly url: string;
  /** Milliseconds from spawning the process to the first 200 from /readyz. */
  readonly startMs: number;
}

/** Higher limits, since a proof uses a few accounts for the actions of many users. */
const MANY_USERS_IN_ONE = { HUB_MAX_REQUESTS_PER_MINUTE: '1000000', HUB_MAX_LIVE_CONNECTIONS: '1000000' };

/** Starts the real program in a separate process, on a free loopback port. It is killed when this process exits. */
export function spawnServer({
  dataDir,
  cwd = dataDir,
  env = {},
  bunFlags = [],
  under = [],
}: ServerOptions): ServerProcess {
  const spawnedAt = performance.now();
  const flags = ['--no-env-file', ...bunFlags, ...sourceChange.flags];
  const child = Bun.spawn([...under, process.execPath, ...flags, MAIN], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dataDir,
      HUB_PORT: '0',
      HUB_DATA_DIR: dataDir,
      ...MANY_USERS_IN_ONE,
      ...sourceChange.env,
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const endWithUs = (): void => child.kill('SIGKILL');
  process.on('exit', endWithUs);

  const output = { stdout: '', stderr: '' };
  const address = Promise.withResolvers<string>();
  const read = async (name: 'stdout' | 'stderr'): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) {
      output[name] += decoder.decode(chunk, { stream: true });
      const found = /is running at (http:\S+)\s/.exec(output.stderr)?.[1];
      if (found) address.resolve(found);
    }
  };
  const over = Promise.all([read('stdout'), read('stderr'), child.exited]).then(() => {
    process.off('exit', endWithUs);
    address.reject(new Error(`The server ended before it served:\n${output.stderr}${output.stdout}`));
    return child.exitCode;
  });
  // A caller that only waits for the exit need not handle a failed start.
  address.promise.catch(() => {});

  return {
    dataDir,
    adminSocket: join(dataDir, 'admin.sock'),
    pid: child.pid,
    serving: async () => {
      const url = await address.promise;
      const { ok } = await fetch(`${url}/readyz`);
      if (!ok) throw new Error('The server says that it serves, but /readyz does not');
      return { url, port: Number(new URL(url).port), startMs: performance.now() - spawnedAt };
    },
    kill: (signal) => child.kill(signal),
    ended: () => over,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
  };
}

/** Stops a server as an admin would, and returns its exit code, even if it has already exited. */
export function stopServer(server: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  server.kill(signal);
  return server.ended();
}

/** Reads one metric over the admin socket; NaN if there is none with this name and these labels. */
export async function readMetric(adminSocket: string, name: string): Promise<number> {
  const text = await (await fetch('http://localhost/metrics', { unix: adminSocket })).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}
