/** The row height assumed before any row is measured, in pixels. */
const FIRST_ESTIMATE = 72;

/**
 * The heights of the rows of a feed: measured, or else the average of the others. Sums are cached until something
 * changes, since every frame asks for them.
 */
export class RowHeights {
  readonly #heights = new Map<string, number>();
  #sum = 0;
  #rows: readonly { id: string }[] = [];
  /** For each row, the total height of that row and all rows after it, plus one more entry for the end. */
  #fromEnd = new Float64Array(1);
  #isStale = true;

  set(id: string, height: number): void {
    const former = this.#heights.get(id);
    if (former === height) return;
    this.#heights.set(id, height);
    this.#sum += height - (former ?? 0);
    this.#isStale = true;
  }

  /** Returns where each row begins, in pixels from the end of the last one; 0 at `rows.length`. */
  startsOf(rows: readonly { id: string }[]): Float64Array {
    if (rows === this.#rows && !this.#isStale) return this.#fromEnd;
    if (this.#fromEnd.length !== rows.length + 1) this.#fromEnd = new Float64Array(rows.length + 1);
    const estimate = this.#heights.size === 0 ? FIRST_ESTIMATE : this.#sum / this.#heights.size;
    for (let row = rows.length - 1; row >= 0; row -= 1) {
      const height = this.#heights.get(rows[row]?.id ?? '') ?? estimate;
      this.#fromEnd[row] = (this.#fromEnd[row + 1] ?? 0) + height;
    }
    this.#rows = rows;
    this.#isStale = false;
    return this.#fromEnd;
  }
}
