import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type Admin, adminOver } from './admin.ts';
import { type ServerOptions, type ServerProcess, spawnServer, stopServer } from './server-process.ts';

/**
 * Below the range of ports that Linux assigns to outgoing connections, so that reconnecting clients cannot take the
 * server's port.
 */
const PORTS = { from: 20_000, count: 10_000 } as const;

/** A real server in a process of its own, and the ones that replace it after restarts on the same folder and port. */
export class HubServer {
  readonly dataDir: string;
  readonly port: number = freePort();
  /** `startMs` of each process. */
  readonly startsMs: number[] = [];
  #isAway = false;
  readonly #options: Omit<ServerOptions, 'dataDir'>;
  #process: ServerProcess | undefined;

  /** Creates the data folder if it does not exist. Call `start` next. */
  constructor(dataDir: string, options: Omit<ServerOptions, 'dataDir'> = {}) {
    this.dataDir = dataDir;
    this.#options = options;
    mkdirSync(dataDir, { recursive: true });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The workspace API over the admin socket. */
  get admin(): Admin {
    return adminOver(this.process.adminSocket);
  }

  /** The newest process; it may have exited. */
  get process(): ServerProcess {
    if (!this.#process) throw new Error('No server was started');
    return this.#process;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** The log so far: by default, only warnings and errors. */
  get complaints(): string {
    return this.process.stdout();
  }

  /** The errors in the log so far. */
  get errors(): string[] {
    return this.complaints.split('\n').filter((line) => line.includes('"level":"error"'));
  }

  /** Resolves once the server is ready. Rejects if it exits first. `env` applies only to this process. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<this> {
    const own = { HUB_PORT: String(this.port), HUB_LOG_LEVEL: 'warn', ...this.#options.env, ...env };
    this.#process = spawnServer({ ...this.#options, dataDir: this.dataDir, env: own });
    this.startsMs.push((await this.#process.serving()).startMs);
    return this;
  }

  /** Kills the server without giving it a chance to clean up. */
  kill(): Promise<number | null> {
    return stopServer(this.process, 'SIGKILL');
  }

  /** Stops the server as an admin would. Returns its exit code. */
  stop(): Promise<number | null> {
    return stopServer(this.process);
  }

  /** Checks that the server has logged no errors, and exits with 0. */
  async finish({ check }: { check(claim: string, holds: boolean, detail?: string): void }): Promise<void> {
    check('the log has no errors', this.errors.length === 0, this.errors.slice(0, 3).join('; '));
    check('the server finally exits with 0', (await this.stop()) === 0);
  }

  /** Ends the server and starts another one. Returns the exit code of the previous one. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#isAway = true;
    const code = await stopServer(this.process, signal);
    await this.start();
    this.#isAway = false;
    return code;
  }

  /**
   * Begins a request: the returned function tells whether a restart explains that it fails, however late a busy machine
   * notices.
   */
  request(): () => boolean {
    const [wasAway, receiver] = [this.#isAway, this.process];
    return () => wasAway || this.#isAway || this.process !== receiver;
  }
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Returns a port on loopback that is free and stays free while clients reconnect. */
export function freePort(): number {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // The port is taken; try another one.
    }
  }
}
