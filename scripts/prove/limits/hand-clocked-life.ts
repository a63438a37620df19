import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Admin, adminOver } from '../admin.ts';
import { type ServerProcess, spawnServer, stopServer } from '../start-server.ts';
import type { ClockMove, ClockStart } from './hand-clock.ts';

const PRELOAD = join(import.meta.dir, 'use-hand-clock.ts');

/** A server and the ones that replace it after restarts on the same data folder, and the time of their machine. */
export class ManualClockRun {
  readonly dataDir: string;
  readonly #slowDisk: boolean;
  #server: ServerProcess | undefined;
  #port = 0;
  #starts = 0;
  #boots = 1;
  /** The time that has actually passed, no matter what the server's clocks show. */
  #nowMs = 0;
  #bootedAtMs = -5_000_000;
  #wallMs = Date.parse('2027-03-01T09:30:00.000Z');

  constructor(dataDir: string, { slowDisk = false } = {}) {
    this.dataDir = dataDir;
    this.#slowDisk = slowDisk;
    mkdirSync(dataDir);
  }

  get port(): number {
    return this.#port;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** The time that the server's wall clock shows. */
  get wallMs(): number {
    return this.#wallMs;
  }

  get admin(): Admin {
    return adminOver(this.#running.adminSocket);
  }

  async start(): Promise<void> {
    this.#starts += 1;
    const clock: ClockStart = {
      socket: this.#clockSocket,
      wallMs: this.#wallMs,
      // The monotonic clock starts at an arbitrary value in each process. The fraction stays exact in floating-point
      // sums.
      monotonicMs: Math.floor(Math.random() * 2 ** 30) / 2 ** 10,
      boot: `boot ${this.#boots}`,
      sinceBootMs: this.#nowMs - this.#bootedAtMs,
      slowDisk: this.#slowDisk,
    };
    this.#server = spawnServer({
      dataDir: this.dataDir,
      bunFlags: ['--preload', PRELOAD],
      env: { HUB_LOG_LEVEL: 'warn', PROVE_CLOCK: JSON.stringify(clock) },
    });
    this.#port = (await this.#server.serving()).port;
  }

  /** Lets time pass. Resolves once the server's clock has moved. */
  advance(ms: number): Promise<void> {
    return this.#move({ advanceMs: ms, jumpMs: 0 });
  }

  /** Sets the wall clock forward or backward. */
  jump(ms: number): Promise<void> {
    return this.#move({ advanceMs: 0, jumpMs: ms });
  }

  /** Simulates a restart of the machine. No server may be running. */
  reboot(): void {
    this.#boots += 1;
    this.#bootedAtMs = this.#nowMs;
  }

  /** Kills the server without giving it a chance to clean up. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #move(move: ClockMove): Promise<void> {
    this.#nowMs += move.advanceMs;
    this.#wallMs += move.advanceMs + move.jumpMs;
    if (!this.#server) return;
    const response = await fetch('http://localhost/', {
      unix: this.#clockSocket,
      method: 'POST',
      body: JSON.stringify(move),
    });
    if (!response.ok) throw new Error(`The clock did not move: ${response.status}`);
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const server = this.#running;
    this.#server = undefined;
    const code = await stopServer(server, signal);
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`The server ended with ${code}:\n${server.stderr()}`);
    const complaints = server.stdout();
    if (complaints) throw new Error(`The server complained:\n${complaints}`);
  }

  get #clockSocket(): string {
    return join(this.dataDir, `clock-${this.#starts}.sock`);
  }

  get #running(): ServerProcess {
    if (!this.#server) throw new Error('No server is running');
    return this.#server;
  }
}
