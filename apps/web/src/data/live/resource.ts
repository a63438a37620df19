import { type ReadonlySignal, signal } from '@preact/signals';
import { errorMessage } from '../request.ts';

export type ResourceState<T> =
  | { status: 'loading' }
  | { status: 'ready'; value: T }
  | { status: 'failed'; text: string };

/** A value from the server. The last one stays until a newer one has loaded, even if loading fails. */
export class Resource<T> {
  readonly #load: (stopped: AbortSignal) => Promise<T>;
  readonly #state = signal<ResourceState<T>>({ status: 'loading' });
  readonly state: ReadonlySignal<ResourceState<T>> = this.#state;
  #stop: AbortController | null = null;
  #latest = Promise.resolve();

  constructor(load: (stopped: AbortSignal) => Promise<T>) {
    this.#load = load;
  }

  load(): void {
    if (!this.#stop && this.#state.peek().status !== 'ready') void this.reload();
  }

  /** Loads the value, aborting an earlier load. Resolves when the latest load is over, whether or not it failed. */
  reload(): Promise<void> {
    this.close();
    this.#stop = new AbortController();
    this.#latest = this.#run(this.#stop);
    return this.#latest;
  }

  /** Shows a value from the response to a change. A load under way may return an older one, so it starts over. */
  set(value: T): void {
    this.#state.value = { status: 'ready', value };
    if (this.#stop) void this.reload();
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#latest = Promise.resolve();
  }

  async #run(stop: AbortController): Promise<void> {
    let state: ResourceState<T>;
    try {
      state = { status: 'ready', value: await this.#load(stop.signal) };
    } catch (error) {
      state = { status: 'failed', text: errorMessage(error) };
    }
    if (stop !== this.#stop) return this.#latest;
    this.#stop = null;
    const current = this.#state.peek();
    // The same error is no news: a component that retries when it is rendered would do so forever.
    if (
      state.status === 'ready' ||
      current.status === 'loading' ||
      (current.status === 'failed' && current.text !== state.text)
    ) {
      this.#state.value = state;
    }
  }
}
