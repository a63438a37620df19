/** Those who want to be told of something. */
export class Listeners<Reported extends readonly unknown[]> {
  readonly #all = new Set<(...notified: Reported) => void>();

  /** The result ends it. */
  add(listener: (...notified: Reported) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  report(...notified: Reported): void {
    for (const listener of this.#all) listener(...notified);
  }
}
