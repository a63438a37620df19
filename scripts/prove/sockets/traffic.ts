import { type Connection, openConnection, postRequest } from '../connection.ts';

const CONNECTIONS = 4;

/** Normal posts at a steady rate, and how long each took from when it was due. */
export class Traffic {
  readonly #port: number;
  readonly #keys: readonly string[];
  readonly #rate: number;
  #sent = 0;
  #window: number[] = [];
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  readonly refused: string[] = [];

  constructor(port: number, keys: readonly string[], rate: number) {
    this.#port = port;
    this.#keys = keys;
    this.#rate = rate;
  }

  async start(): Promise<void> {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(this.#port)));
    const start = performance.now();
    const work = async (connection: Connection): Promise<void> => {
      while (!this.#isStopped) {
        const number = this.#sent;
        this.#sent += 1;
        const due = start + (number / this.#rate) * 1_000;
        await Bun.sleep(Math.max(0, due - performance.now()));
        const key = this.#keys[number % this.#keys.length] ?? '';
        const { status, body } = await connection.send(postRequest('messages', key, `normal ${number}`));
        if (status !== 201) this.refused.push(`${status} ${body}`);
        this.#window.push(performance.now() - due);
      }
      connection.close();
    };
    this.#running = Promise.all(connections.map(work)).then(() => {});
  }

  get sent(): number {
    return this.#sent;
  }

  /** The milliseconds of all posts since this was last asked. */
  takeWindow(): number[] {
    const window = this.#window;
    this.#window = [];
    return window;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
