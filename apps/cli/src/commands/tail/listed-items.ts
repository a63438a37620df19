const MAX = 10_000;

/** The items shown from a list, so that their `created` events are not shown again. */
export class ListedItems {
  readonly #ids = new Set<string>();

  add({ id }: { id: string }): void {
    this.#ids.add(id);
    if (this.#ids.size <= MAX) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
