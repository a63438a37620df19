import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminOver } from './admin.ts';
import { Changes } from './concurrency.ts';
import { testFolder } from './test-folder.ts';

export const REPOSITORY = join(import.meta.dir, '../../..');
const MAIN = join(REPOSITORY, 'apps/api/src/main.ts');

export interface ServerOptions {
  /** The data folder of an earlier process; by default a new one, which is removed when the process is disposed of. */
  readonly dataDir?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the server, such as a tracer. It must exit with the server. */
  readonly under?: readonly string[];
}

interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export type ServerProcess = ReturnType<typeof spawnServer>;

/** Higher limits, since a proof uses a few accounts for the actions of many users. */
const MANY_USERS_IN_ONE = { HUB_MAX_REQUESTS_PER_MINUTE: '1000000', HUB_MAX_LIVE_CONNECTIONS: '1000000' };

/** Starts the real program in a separate process, on a free loopback port. It is killed when this process exits. */
export function spawnServer({ dataDir, cwd = tmpdir(), env = {}, under = [] }: ServerOptions = {}) {
  const folder = dataDir ?? testFolder('hub-process-');
  const spawnedAt = performance.now();
  // The change of a counter-proof.
  const { PATH = '', SOURCE_CHANGE, BUN_OPTIONS } = process.env;
  const child = Bun.spawn([...under, process.execPath, '--no-env-file', MAIN], {
    cwd,
    env: {
      PATH,
      ...(SOURCE_CHANGE && { SOURCE_CHANGE, BUN_OPTIONS }),
      HUB_PORT: '0',
      HUB_DATA_DIR: folder,
      ...MANY_USERS_IN_ONE,
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const endWithUs = (): void => child.kill('SIGKILL');
  process.on('exit', endWithUs);

  const output = { stdout: '', stderr: '' };
  const readyAt = Promise.withResolvers<string>();
  const changes = new Changes();
  const read = async (name: 'stdout' | 'stderr'): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) {
      output[name] += decoder.decode(chunk, { stream: true });
      changes.happened();
      const address = /is running at (?:\S+ \(listening on )?(https?:[^\s)]+)\)?\n/.exec(output.stderr)?.[1];
      if (address) readyAt.resolve(address);
    }
  };
  let isOver = false;
  const over = Promise.all([read('stdout'), read('stderr'), child.exited]).then(() => {
    process.off('exit', endWithUs);
    isOver = true;
    readyAt.reject(new Error(`The server ended before it served:\n${output.stderr}${output.stdout}`));
    changes.happened();
    return child.exitCode;
  });
  const findRecord = (message: string): LogRecord | undefined => {
    const lines = output.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LogRecord).find(({ msg }) => msg === message);
  };
  // A caller that only waits for the exit need not handle a failed start.
  readyAt.promise.catch(() => {});

  const adminSocket = join(folder, 'admin.sock');
  return {
    dataDir: folder,
    adminSocket,
    /** The workspace API over the admin socket. */
    admin: adminOver(adminSocket),
    /** The spawned process: the server itself, unless it runs under another command. */
    pid: child.pid,
    /**
     * Resolves once the server is ready, and rejects if it exits first. `startMs`: from spawning the process to the first 200
     * from /readyz, except `waitedMs`.
     */
    serving: async () => {
      const url = await readyAt.promise;
      // Tests have certificates of their own.
      const { ok } = await fetch(`${url}/readyz`, { tls: { rejectUnauthorized: false } });
      if (!ok) throw new Error('The server says that it serves, but /readyz does not');
      return { url, port: Number(new URL(url).port), startMs: performance.now() - spawnedAt - waitedMs(child.pid) };
    },
    /** Resolves with the first log record with this message, past or future. Rejects if the server exits without one. */
    logged: async (message: string): Promise<LogRecord> => {
      await changes.until(() => isOver || findRecord(message) !== undefined);
      const record = findRecord(message);
      if (!record) throw new Error(`The server ended before it logged "${message}":\n${output.stderr}`);
      return record;
    },
    /** Sends a signal, unless the server has exited, since its process ID may already have been reused. */
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves with the exit code once all output has been read. */
    ended: () => over,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await over;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns for how long the main thread of a process could have run so far, while others used the processors. */
export function waitedMs(pid: number): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0;
}

/** Stops a server as an admin would, and returns its exit code, even if it has already exited. */
export function stopServer(server: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  server.kill(signal);
  return server.ended();
}
