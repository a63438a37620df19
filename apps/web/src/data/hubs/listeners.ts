/** A set of listeners. */
export class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();

  /** Returns the unsubscribe function. */
  add(listener: (...args: Args) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  report(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }
}
