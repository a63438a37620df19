import { Changes } from '../concurrency.ts';

/** Records values, and lets a test wait for them. */
export class Recorder<T> {
  readonly values: T[] = [];
  readonly #changes = new Changes();

  readonly add = (value: T): void => {
    this.values.push(value);
    this.#changes.happened();
  };

  /** Resolves with the nth value, counted from 1, once it is recorded. */
  async nth(count: number): Promise<T> {
    await this.#changes.until(() => this.values.length >= count);
    return this.values[count - 1] as T;
  }

  /** Resolves with the first value that passes the test. */
  async first(test: (value: T) => boolean): Promise<T> {
    await this.#changes.until(() => this.values.some(test));
    return this.values.find(test) as T;
  }
}
