import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dir, '../..');
const MAIN = join(REPOSITORY, 'apps/api/src/main.ts');

export interface ServerOptions {
  readonly dataDir: string;
  /** The data folder, unless the server is to make that itself. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Bun, such as a preload. */
  readonly bunFlags?: readonly string[];
  /** A command to run the server under, such as a tracer. It must end when the server does. */
  readonly under?: readonly string[];
}

export interface ServerProcess {
  readonly dataDir: string;
  readonly adminSocket: string;
  /** Resolves once it serves; rejects if it ends before. */
  serving(): Promise<Serving>;
  /** The process that was spawned: the server's own, unless it runs under another. */
  readonly pid: number;
  /** Does nothing to a server that has ended: its process id may be another's by then. */
  kill(signal: NodeJS.Signals): void;
  /** The exit code, after all that it wrote has been read. */
  ended(): Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

export interface Serving {
  readonly port: number;
  readonly url: string;
  /** From the spawn to the first 200 of /readyz. */
  readonly startMs: number;
}

/** A proof does with a few accounts what many would do. */
const MANY_USERS_IN_ONE = { HUB_MAX_REQUESTS_PER_MINUTE: '1000000', HUB_MAX_LIVE_CONNECTIONS: '1000000' };

/** The real program in a process of its own, on any free port of loopback. It ends with this process at the latest. */
export function spawnServer({
  dataDir,
  cwd = dataDir,
  env = {},
  bunFlags = [],
  under = [],
}: ServerOptions): ServerProcess {
  const spawnedAt = performance.now();
  const child = Bun.spawn([...under, process.execPath, '--no-env-file', ...bunFlags, MAIN], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dataDir,
      HUB_PORT: '0',
      HUB_DATA_DIR: dataDir,
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
  const address = Promise.withResolvers<string>();
  const read = async (name: 'stdout' | 'stderr'): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) {
      output[name] += decoder.decode(chunk, { stream: true });
      const found = /serves at (http:\S+)\s/.exec(output.stderr)?.[1];
      if (found) address.resolve(found);
    }
  };
  const over = Promise.all([read('stdout'), read('stderr'), child.exited]).then(() => {
    process.off('exit', endWithUs);
    address.reject(new Error(`The server ended before it served:\n${output.stderr}${output.stdout}`));
    return child.exitCode;
  });
  // A caller that waits only for the end need not handle a failed start.
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

/** Ends a server as an administrator does, and returns its exit code; also of one that has ended already. */
export function stopServer(server: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  server.kill(signal);
  return server.ended();
}
