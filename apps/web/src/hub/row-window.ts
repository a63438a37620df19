/** Rows from `start` up to, but not with, `end`. */
export interface RowWindow {
  start: number;
  end: number;
}

interface Stretch {
  /** Where each row begins, counted from the end of the last one; one more for the end, which is 0. */
  starts: Float64Array;
  /** From the end of the last row, in pixels; below 0 behind it. */
  fromEnd: number;
  length: number;
}

/** The rows that lie, as a whole or in part, in a stretch of the feed. At least one, if there is any. */
export function rowsWithin({ starts, fromEnd, length }: Stretch): RowWindow {
  const count = starts.length - 1;
  if (count === 0) return { start: 0, end: 0 };
  const end = clamp(
    placeWhere(starts, (start) => start <= fromEnd),
    1,
    count,
  );
  const start = clamp(placeWhere(starts, (start) => start < fromEnd + length) - 1, 0, end - 1);
  return { start, end };
}

/** The first row for which it holds; it does for all behind it. */
function placeWhere(starts: Float64Array, holdsFor: (start: number) => boolean): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holdsFor(starts[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
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
