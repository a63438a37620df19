import { firstIndex } from '../../data/items/item.ts';

/**
 * `overscan`: pixels drawn beyond the view, so that rows are ready before the reader scrolls to them. `margin`: more rows
 * are drawn as soon as fewer pixels than this are left. `step`: how many rows at a time.
 */
export const REACH = { overscan: 1_200, margin: 500, step: 8 };

/** Rows from `start` up to, but not including, `end`. */
export interface RowWindow {
  start: number;
  end: number;
}

interface ViewRange {
  /** Where each row begins, in pixels from the end of the last one; one more entry for the end, which is 0. */
  starts: Float64Array;
  /** Distance from the end of the last row, in pixels; negative after it. */
  fromEnd: number;
  length: number;
}

/** Returns the rows that lie fully or partly in a range of the feed: at least one, if the feed has any. */
export function rowsWithin({ starts, fromEnd, length }: ViewRange): RowWindow {
  const count = starts.length - 1;
  if (count === 0) return { start: 0, end: 0 };
  const end = clamp(
    findFirstRow(starts, (start) => start <= fromEnd),
    1,
    count,
  );
  const start = clamp(findFirstRow(starts, (start) => start < fromEnd + length) - 1, 0, end - 1);
  return { start, end };
}

/** Returns the first row whose beginning satisfies the predicate, as those of all rows after it do. */
function findFirstRow(starts: Float64Array, holdsFor: (start: number) => boolean): number {
  return firstIndex(starts.length, (n) => holdsFor(starts[n] ?? 0));
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}

/** Returns the smallest window that contains `a` and `b`. */
function spanOf(a: RowWindow, b: RowWindow): RowWindow {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/**
 * Returns the next window on the way to `wanted`: all rows in view immediately, and at most `maxNew` other new rows, so
 * that no frame takes long. `present` is the window that is drawn.
 */
export function stepTo(
  target: RowWindow,
  { present, inView, maxNew }: { present: RowWindow; inView: RowWindow; maxNew: number },
): RowWindow {
  const isApart = present.end <= inView.start || present.start >= inView.end;
  const base = isApart
    ? inView
    : spanOf(inView, { start: Math.max(present.start, target.start), end: Math.min(present.end, target.end) });
  // Half before and half after the view, since the reader may scroll either way.
  const half = Math.ceil(maxNew / 2);
  const start = Math.max(target.start, base.start - half);
  const end = Math.min(target.end, base.end + (maxNew - Math.min(half, base.start - start)));
  return { start: Math.min(start, base.start), end: Math.max(end, base.end) };
}

export function holds(outer: RowWindow, inner: RowWindow): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

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
