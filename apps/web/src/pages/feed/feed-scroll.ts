import { keepNewest } from '../../lib/newest.ts';

/** A row and how far below the upper edge of the view it begins, in pixels. */
export interface Anchor {
  id: string;
  top: number;
}

/** The reader's position in a feed: at its end, or at a row. */
export type Spot = 'end' | Anchor;

/** The id of what is above all rows, such as the item that a thread belongs to, as an anchor. */
export const HEAD = 'head';

/** The least distance of a row from the edges of the view after it was scrolled into view, in pixels. */
export const EDGE = 16;

/**
 * The element that scrolls, with the newest row at its end: the lower one in a conversation, the upper one in a feed
 * with the newest row on top. A conversation is laid out from its end (`flex-direction: column-reverse`), so that
 * `scrollTop` is 0 there and negative above it. In both, rows added at the other end move nothing.
 */
export class FeedScroll {
  /** The rounding error of the held position, since browsers scroll by whole pixels; valid until the reader scrolls. */
  #held = { scrollTop: Number.NaN, error: 0 };
  /** The distance from the end when it was last read here, and the height on the other side and in all at that time. */
  #noted = { fromEnd: 0, beyond: 0, height: 0 };
  #hasInput = false;

  constructor(
    readonly root: HTMLElement,
    /** All rows, and spacers for those that are not drawn. */
    readonly rows: HTMLElement,
    readonly isNewestFirst: boolean,
  ) {}

  /** The height of the content between the view and the end. */
  get fromEnd(): number {
    return Math.abs(this.root.scrollTop);
  }

  get length(): number {
    return this.root.clientHeight;
  }

  /**
   * Whether the reader has scrolled since the last call. The scroll event may not arrive until the next frame. If the
   * content became too short for the previous position, the browser scrolled, not the reader. The content may have
   * grown since then, so near the beginning or in shorter content, scrolling toward the end is attributed to the reader
   * only after input.
   */
  get hasMoved(): boolean {
    const { scrollHeight, clientHeight } = this.root;
    const { fromEnd } = this;
    const noted = this.#noted;
    if (fromEnd === noted.fromEnd) return false;
    const mayBeCut = noted.beyond < clientHeight || scrollHeight < noted.height;
    if (!this.#hasInput && mayBeCut && fromEnd < noted.fromEnd) return false;
    const max = scrollHeight - clientHeight;
    return !(noted.fromEnd > max + 1 && fromEnd > max - 1);
  }

  /** Whether the view has become shorter since the last call, as when the screen keyboard opens. */
  get isShorter(): boolean {
    const { fromEnd, beyond, height } = this.#noted;
    return this.length < height - beyond - fromEnd;
  }

  /** Forgets earlier input, so that only input from now on counts as scrolling away. */
  forgetInput(): void {
    this.#hasInput = false;
  }

  /** Whether a worker is still parsing a drawn post, which is much shorter until it is parsed. */
  get isGrowing(): boolean {
    return this.rows.querySelector('.prose[aria-busy="true"]') !== null;
  }

  /** The height of the content between the newest row and the end. */
  get foot(): number {
    const [view, rows] = [this.root.getBoundingClientRect(), this.rows.getBoundingClientRect()];
    return this.fromEnd + (this.isNewestFirst ? rows.top - view.top : view.bottom - rows.bottom);
  }

  /**
   * Calls `onResize` before the resize is painted, and `onHold` with a row whose content is about to change its height,
   * at its present position. Returns a function that removes the listeners.
   */
  listen(on: { onScroll: () => void; onResize: () => void; onHold: (row: Anchor) => void }): () => void {
    const { onScroll, onResize, onHold } = on;
    const observer = new ResizeObserver(onResize);
    // An image or the history of a to-do, which are above the rows, may grow as well.
    for (const element of [this.root, this.rows, this.rows.parentElement]) if (element) observer.observe(element);
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    this.root.addEventListener('scroll', onScroll, options);
    const hold = ({ target, detail: isCollapsing }: CustomEvent<boolean>) => {
      const row = target instanceof Element && target.closest<HTMLElement>('[data-id]');
      if (!row) return;
      const view = this.root.getBoundingClientRect().top;
      // Collapsed, what begins above the view would be out of it.
      const above = isCollapsing ? Math.max(0, view - (target as Element).getBoundingClientRect().top) : 0;
      onHold({ id: row.dataset.id ?? '', top: row.getBoundingClientRect().top - view + above });
    };
    this.root.addEventListener('holdrow', hold as EventListener, options);
    const onInput = () => {
      this.#hasInput = true;
    };
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
      this.root.addEventListener(type, onInput, options);
    return () => {
      observer.disconnect();
      stop.abort();
    };
  }

  toEnd(): void {
    if (this.root.scrollTop !== 0) this.root.scrollTop = 0;
  }

  /** Returns the rows in view. Those that begin above the view come last, since they may grow upward. */
  anchors(): Anchor[] {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    this.#noted = { fromEnd: this.fromEnd, beyond: scrollHeight - clientHeight - this.fromEnd, height: scrollHeight };
    const view = this.root.getBoundingClientRect();
    // Without this correction, each arriving item would move the rows by a fraction of a pixel.
    const error = scrollTop === this.#held.scrollTop ? this.#held.error : 0;
    const inView = [...elementsById(this.rows)]
      .map(([id, row]) => ({ id, rect: row.getBoundingClientRect() }))
      .filter(({ rect }) => rect.bottom > view.top && rect.top < view.bottom)
      .map(({ id, rect }) => ({ id, top: rect.top - view.top - error }));
    return [...inView.filter(({ top }) => top >= 0), ...inView.filter(({ top }) => top < 0)];
  }

  /** Scrolls so that the first of these rows that still exists keeps its position. */
  hold(anchors: readonly Anchor[], rows: ReadonlyMap<string, HTMLElement>): void {
    const anchor = anchors.find(({ id }) => rows.has(id));
    const row = anchor && rows.get(anchor.id);
    if (!row) return;
    const error = () => row.getBoundingClientRect().top - this.root.getBoundingClientRect().top - anchor.top;
    const moved = error();
    const to = this.root.scrollTop + moved;
    // Chromium lets the scroll position overshoot the end by a pixel and corrects that later, as if the reader had
    // scrolled.
    if (Math.abs(moved) > 0.5) this.root.scrollTop = this.isNewestFirst ? Math.max(0, to) : Math.min(0, to);
    this.#held = { scrollTop: this.root.scrollTop, error: error() };
  }

  /** Returns the position that brings all of a row into view, or its beginning; `undefined` if it is not drawn. */
  nearest(id: string): Anchor | undefined {
    const row = elementsById(this.rows).get(id);
    if (!row) return undefined;
    const view = this.root.getBoundingClientRect();
    const { top, height } = row.getBoundingClientRect();
    const lowest = view.height - height - EDGE;
    return { id, top: Math.max(Math.min(top - view.top, lowest), EDGE) };
  }
}

export function elementsById(rows: HTMLElement): Map<string, HTMLElement> {
  const elements = new Map<string, HTMLElement>();
  for (const row of [...(rows.parentElement?.children ?? []), ...rows.children])
    if (row instanceof HTMLElement && row.dataset.id) elements.set(row.dataset.id, row);
  return elements;
}

const MAX = 200;
const spots = new Map<string, Spot>();

/** Returns the scroll position saved for an entry in this tab's history. */
export function spotOf(key: string): Spot | undefined {
  return spots.get(key);
}

export function saveSpot(key: string, spot: Spot): void {
  keepNewest(spots, key, spot, MAX);
}
