import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HubServer } from '@hub/testkit';

const EVERY_MS = 500;
const MIB = 2 ** 20;

/** The resources of the server at one moment. */
export interface Sample {
  /** The resident memory without file pages, which belong to the kernel's cache. */
  readonly ownMiB: number;
  readonly residentMiB: number;
  readonly files: number;
  readonly walMiB: number;
  readonly databaseMiB: number;
}

/** Samples the server's process from outside at regular intervals. */
export class Sampler {
  readonly #run: HubServer;
  readonly #timer: Timer;
  #samples: Sample[] = [];

  constructor(run: HubServer) {
    this.#run = run;
    this.#timer = setInterval(() => this.#samples.push(this.#look()), EVERY_MS);
  }

  /** Returns the samples since the last call. */
  take(): readonly Sample[] {
    const samples = [...this.#samples, this.#look()];
    this.#samples = [];
    return samples;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): Sample {
    const { pid, dataDir } = this.#run;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
    return {
      ownMiB: kib('RssAnon') / 1024,
      residentMiB: kib('VmRSS') / 1024,
      files: readdirSync(`/proc/${pid}/fd`).length,
      walMiB: sizeOf(join(dataDir, 'hub.db-wal')) / MIB,
      databaseMiB: sizeOf(join(dataDir, 'hub.db')) / MIB,
    };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
