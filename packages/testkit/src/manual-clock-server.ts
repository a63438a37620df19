import { join } from 'node:path';
import type { ClockMove, ClockStart } from './manual-clock.ts';
import { HubServer } from './server.ts';

const PRELOAD = join(import.meta.dir, 'manual-clock.ts');

/** A real server whose clocks move only when told to, and the time of the machine that it believes to run on. */
export class ManualClockServer extends HubServer {
  #isRunning = false;
  #starts = 0;
  /** The time that has actually passed, no matter what the server's clocks show. */
  #nowMs = 0;
  #wallMs = Date.parse('2027-03-01T09:30:00.000Z');

  constructor(dataDir: string) {
    super(dataDir, { bunFlags: ['--preload', PRELOAD] });
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  override async start(): Promise<this> {
    this.#starts += 1;
    const clock: ClockStart = {
      socket: this.#clockSocket,
      wallMs: this.#wallMs,
      // The monotonic clock starts at an arbitrary value in each process. The fraction stays exact in floating-point
      // sums.
      monotonicMs: Math.floor(Math.random() * 2 ** 30) / 2 ** 10,
      boot: 'boot',
      sinceBootMs: this.#nowMs + 5_000_000,
    };
    await super.start({ MANUAL_CLOCK: JSON.stringify(clock) });
    this.#isRunning = true;
    return this;
  }

  /** Lets time pass. Resolves once the server's clocks have moved. */
  advance(ms: number): Promise<void> {
    return this.#move({ advanceMs: ms, jumpMs: 0 });
  }

  /** Sets the wall clock forward or backward. */
  jump(ms: number): Promise<void> {
    return this.#move({ advanceMs: 0, jumpMs: ms });
  }

  override kill(): Promise<number | null> {
    return this.#end(super.kill());
  }

  /** Throws unless the server exits with 0. */
  override async stop(): Promise<number | null> {
    const code = await this.#end(super.stop());
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${this.process.stderr()}`);
    return code;
  }

  async #end(ending: Promise<number | null>): Promise<number | null> {
    this.#isRunning = false;
    const code = await ending;
    if (this.complaints) throw new Error(`The server complained:\n${this.complaints}`);
    return code;
  }

  async #move(move: ClockMove): Promise<void> {
    this.#nowMs += move.advanceMs;
    this.#wallMs += move.advanceMs + move.jumpMs;
    if (!this.#isRunning) return;
    const init = { unix: this.#clockSocket, method: 'POST', body: JSON.stringify(move) };
    const response = await fetch('http://localhost/', init);
    if (!response.ok) throw new Error(`The clock did not move: ${response.status}`);
  }

  get #clockSocket(): string {
    return join(this.dataDir, `clock-${this.#starts}.sock`);
  }
}
