/** Rows from `start` up to, but not with, `end`. */
export interface RowWindow {
  start: number;
  end: number;
}

interface Stretch {
  count: number;
  heightOf: (row: number) => number;
  /** From the end of the last row, in pixels; below 0 behind it. */
  fromEnd: number;
  length: number;
}

/** The rows that lie, as a whole or in part, in a stretch of the feed. At least one, if there is any. */
export function rowsWithin({ count, heightOf, fromEnd, length }: Stretch): RowWindow {
  let below = 0;
  let end = count;
  while (end > 1 && below + heightOf(end - 1) <= fromEnd) {
    end -= 1;
    below += heightOf(end);
  }
  let start = end;
  while (start > 0 && (start === end || below < fromEnd + length)) {
    start -= 1;
    below += heightOf(start);
  }
  return { start, end };
}

/** What `a` and `b` reach over together. */
export function spanOf(a: RowWindow, b: RowWindow): RowWindow {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/**
 * The next window on the way to `wanted`: all that is in view at once, and of the rest so many new rows at most, so that no frame
 * takes long. `present` is what is drawn.
 */
export function stepTo(
  wanted: RowWindow,
  { present, inView, most }: { present: RowWindow; inView: RowWindow; most: number },
): RowWindow {
  const isApart = present.end <= inView.start || present.start >= inView.end;
  const base = isApart
    ? inView
    : spanOf(inView, { start: Math.max(present.start, wanted.start), end: Math.min(present.end, wanted.end) });
  // First behind what is in view, then before it: either may be where one scrolls to.
  const half = Math.ceil(most / 2);
  const start = Math.max(wanted.start, base.start - half);
  const end = Math.min(wanted.end, base.end + (most - Math.min(half, base.start - start)));
  return { start: Math.min(start, base.start), end: Math.max(end, base.end) };
}

export function holds(outer: RowWindow, inner: RowWindow): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}
