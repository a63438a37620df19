/** Records values, and lets a test wait for them. */
export class Recorder<T> {
  readonly values: T[] = [];
  #watchers: { isReached: () => boolean; resolve: () => void }[] = [];

  readonly add = (value: T): void => {
    this.values.push(value);
    const reached = this.#watchers.filter(({ isReached }) => isReached());
    this.#watchers = this.#watchers.filter((watcher) => !reached.includes(watcher));
    for (const { resolve } of reached) resolve();
  };

  /** Resolves with the nth value, counted from 1, once it is recorded. */
  async nth(count: number): Promise<T> {
    await this.#until(() => this.values.length >= count);
    return this.values[count - 1] as T;
  }

  /** Resolves with the first value that passes the test. */
  async first(test: (value: T) => boolean): Promise<T> {
    await this.#until(() => this.values.some(test));
    return this.values.find(test) as T;
  }

  #until(isReached: () => boolean): Promise<void> {
    if (isReached()) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ isReached, resolve }));
  }
}
