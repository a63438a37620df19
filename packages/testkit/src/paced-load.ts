import { join } from 'node:path';
import type { FromLoad, LoadPlan, ToLoad } from './paced-load-worker.ts';

export type { LoadPlan } from './paced-load-worker.ts';

type Reported<Type extends FromLoad['type']> = Extract<FromLoad, { type: Type }>;

const SCRIPT = join(import.meta.dir, 'paced-load-worker.ts');

/** A load that runs in a separate process, and the posts that were acknowledged. */
export class PacedLoad {
  /** In the order of their responses. */
  readonly acknowledged: string[] = [];
  /** Responses other than 201. */
  readonly unexpected: string[] = [];
  readonly #child: Bun.Subprocess;
  readonly #waiting = new Map<string, (message: FromLoad) => void>();

  private constructor() {
    this.#child = Bun.spawn([process.execPath, '--no-env-file', SCRIPT], {
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      ipc: (message: FromLoad) => this.#waiting.get(message.type)?.(message),
    });
    const endWithUs = (): void => this.#child.kill('SIGKILL');
    process.on('exit', endWithUs);
    void this.#child.exited.then(() => process.off('exit', endWithUs));
  }

  static async start(plan: LoadPlan): Promise<PacedLoad> {
    const load = new PacedLoad();
    await load.#ask({ type: 'plan', plan }, 'ready');
    return load;
  }

  /** Posts as fast as possible. */
  async fill(posts: number, bytes: number): Promise<void> {
    await this.#ask({ type: 'fill', posts, bytes }, 'filled');
  }

  async begin(perSecond: number): Promise<void> {
    await this.#ask({ type: 'begin', perSecond }, 'begun');
  }

  /** Returns the latencies of the posts sent while `work` runs, in milliseconds. */
  async during(work: () => Promise<unknown>): Promise<number[]> {
    await this.#ask({ type: 'mark' }, 'marked');
    await work();
    return (await this.#ask({ type: 'latencies' }, 'latencies')).ms;
  }

  /** Returns the number of posts acknowledged so far. */
  async count(): Promise<number> {
    this.#keep(await this.#ask({ type: 'acknowledged' }, 'acknowledged'));
    return this.acknowledged.length;
  }

  /** Resolves once every request has received its response or can no longer get one. */
  async stop(): Promise<void> {
    this.#keep(await this.#ask({ type: 'stop' }, 'stopped'));
    this.#child.kill();
    await this.#child.exited;
  }

  #keep({ ids, unexpected }: { ids: string[]; unexpected: string[] }): void {
    this.acknowledged.push(...ids);
    this.unexpected.push(...unexpected);
  }

  #ask<Type extends FromLoad['type']>(message: ToLoad, response: Type): Promise<Reported<Type>> {
    const notified = this.#notified(response);
    this.#child.send(message);
    return notified;
  }

  #notified<Type extends FromLoad['type']>(type: Type): Promise<Reported<Type>> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(type, (message) => resolve(message as Reported<Type>));
      void this.#child.exited.then((code) => reject(new Error(`The load ended with ${code}`)));
    });
  }
}
