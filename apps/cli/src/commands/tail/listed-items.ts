const MAX = 10_000;

/** What was shown from a list. An event that tells of its making again is left out. */
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
