import { join } from 'node:path';

export interface TrafficRequest {
  readonly port: number;
  readonly keys: readonly string[];
  /** Posts per second. */
  readonly rate: number;
}

export interface TrafficReport {
  readonly sent: number;
  readonly rejected: readonly string[];
  /** The latencies of all posts since the last report, in milliseconds from when each was due. */
  readonly window: readonly number[];
}

/** Normal posts at a steady rate. */
export class Traffic {
  readonly #child: Bun.Subprocess;
  #report: PromiseWithResolvers<TrafficReport> = Promise.withResolvers();
  sent = 0;
  rejected: readonly string[] = [];

  constructor(request: TrafficRequest) {
    this.#child = Bun.spawn([process.execPath, '--no-env-file', join(import.meta.dir, 'traffic-process.ts')], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (report: TrafficReport) => this.#report.resolve(report),
    });
    process.on('exit', () => this.#child.kill('SIGKILL'));
    this.#child.send(request);
  }

  takeWindow(): Promise<readonly number[]> {
    return this.#ask('take');
  }

  async stop(): Promise<readonly number[]> {
    const window = await this.#ask('stop');
    await this.#child.exited;
    return window;
  }

  async #ask(message: 'take' | 'stop'): Promise<readonly number[]> {
    this.#report = Promise.withResolvers();
    this.#child.send(message);
    const { sent, rejected, window } = await this.#report.promise;
    this.sent = sent;
    this.rejected = rejected;
    return window;
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
