import { readFileSync } from 'node:fs';
import { type Admin, adminOver } from '../admin.ts';
import { type ServerProcess, spawnServer, stopServer } from '../start-server.ts';
import type { Random } from './random.ts';

/**
 * Below the range of ports that Linux assigns to outgoing connections, so that reconnecting clients cannot take the
 * server's port.
 */
const PORTS = { from: 20_000, count: 10_000 } as const;

const LATE_MS = 300;

/** A server and the ones that replace it after restarts, on the same data folder and port. */
export class ServerRun {
  readonly dataDir: string;
  readonly port: number;
  readonly startsMs: number[] = [];
  isRestarting = false;
  readonly #env: Readonly<Record<string, string>>;
  #server: ServerProcess | undefined;

  constructor(dataDir: string, random: Random, env: Readonly<Record<string, string>> = {}) {
    this.dataDir = dataDir;
    this.#env = env;
    this.port = freePort(random);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get admin(): Admin {
    return adminOver(this.#running.adminSocket);
  }

  async start(): Promise<void> {
    const env = { HUB_PORT: String(this.port), HUB_LOG_LEVEL: 'warn', ...this.#env };
    this.#server = spawnServer({ dataDir: this.dataDir, env });
    const { startMs } = await this.#server.serving();
    this.startsMs.push(startMs);
  }

  /** Restarts the server. Returns the exit code of the previous one. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.isRestarting = true;
    const code = await stopServer(this.#running, signal);
    await this.start();
    // Requests that were sent too late, while the server was stopping, are counted separately from rejected ones.
    await Bun.sleep(LATE_MS);
    this.isRestarting = false;
    return code;
  }

  /** Kills the server without giving it a chance to clean up. */
  kill(): Promise<number | null> {
    return stopServer(this.#running, 'SIGKILL');
  }

  stop(): Promise<number | null> {
    return stopServer(this.#running);
  }

  /** Warnings and errors in the server's log. */
  get complaints(): string {
    return this.#running.stdout();
  }

  get pid(): number {
    return this.#running.pid;
  }

  residentBytes(): number {
    const status = readFileSync(`/proc/${this.#running.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }

  get #running(): ServerProcess {
    if (!this.#server) throw new Error('No server was started');
    return this.#server;
  }
}

function freePort(random: Random): number {
  for (;;) {
    const port = PORTS.from + Math.floor(random() * PORTS.count);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // The port is taken; try another one.
    }
  }
}
