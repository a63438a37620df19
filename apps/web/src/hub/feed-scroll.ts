/** A row and how far below the upper edge of the view it begins. */
export interface Anchor {
  id: string;
  top: number;
}

/** Where one stands in a feed: at its end, or with a row in some place. */
export type Spot = 'end' | Anchor;

const EDGE = 16;

/**
 * The element that scrolls. Its content is laid out from its end (`flex-direction: column-reverse`), so that `scrollTop` is 0 there
 * and below 0 above it, and rows that come before all others move nothing.
 */
export class FeedScroll {
  readonly root: HTMLElement;
  /** All rows, and the room of those that are not drawn. */
  readonly rows: HTMLElement;
  /** Browsers scroll by whole pixels: how far rows stand from where they were held, as long as nobody scrolls. */
  #held = { scrollTop: Number.NaN, error: 0 };
  /** Where it stood when it was last looked at here, and how much there was above the view. */
  #noted = { scrollTop: 0, above: 0 };
  #hasInput = false;

  constructor(root: HTMLElement, rows: HTMLElement) {
    this.root = root;
    this.rows = rows;
  }

  /** What lies below the view. */
  get fromEnd(): number {
    return -this.root.scrollTop;
  }

  get length(): number {
    return this.root.clientHeight;
  }

  /**
   * The reader has scrolled since this was last read. The event may be still to come, with the next frame. Where the content became too
   * short for the former position, the browser has moved it, not the reader. It may have grown again since then, so that near the
   * beginning a move towards the end is the reader's only after some input.
   */
  get hasMoved(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    const noted = this.#noted;
    if (scrollTop === noted.scrollTop) return false;
    if (!this.#hasInput && noted.above < clientHeight && scrollTop > noted.scrollTop) return false;
    const first = clientHeight - scrollHeight;
    return !(noted.scrollTop < first - 1 && scrollTop < first + 1);
  }

  /** What the reader did until now has led here; only what they do from now on can scroll away. */
  forgetInput(): void {
    this.#hasInput = false;
  }

  /** A worker still reads a post that is drawn: until then it is much shorter. */
  get isGrowing(): boolean {
    return this.rows.querySelector('.prose[aria-busy="true"]') !== null;
  }

  /** What stands behind the last row. */
  get foot(): number {
    const { bottom } = this.root.getBoundingClientRect();
    return bottom + this.fromEnd - this.rows.getBoundingClientRect().bottom;
  }

  /** Calls `onResize` before the change of size is painted. The result ends both. */
  listen({ onScroll, onResize }: { onScroll: () => void; onResize: () => void }): () => void {
    const observer = new ResizeObserver(onResize);
    observer.observe(this.root);
    observer.observe(this.rows);
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    this.root.addEventListener('scroll', onScroll, options);
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

  /** Whether what changes now is no news. Set at once: it must stand before the change does. */
  setBusy(isBusy: boolean): void {
    if (isBusy) this.root.setAttribute('aria-busy', 'true');
    else this.root.removeAttribute('aria-busy');
  }

  toEnd(): void {
    if (this.root.scrollTop !== 0) this.root.scrollTop = 0;
  }

  /** The rows in view: first those that begin in it, since what reaches into it from above may grow upwards. */
  anchors(): Anchor[] {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    this.#noted = { scrollTop, above: scrollHeight - clientHeight + scrollTop };
    const view = this.root.getBoundingClientRect();
    // Were it not taken off, what arrives would move the rows by part of a pixel again and again.
    const error = scrollTop === this.#held.scrollTop ? this.#held.error : 0;
    const inView = [...elementsById(this.rows)]
      .map(([id, row]) => ({ id, rect: row.getBoundingClientRect() }))
      .filter(({ rect }) => rect.bottom > view.top && rect.top < view.bottom)
      .map(({ id, rect }) => ({ id, top: rect.top - view.top - error }));
    return [...inView.filter(({ top }) => top >= 0), ...inView.filter(({ top }) => top < 0)];
  }

  /** Scrolls so that the first of these that is still there stands where it stood. */
  hold(anchors: readonly Anchor[], rows: ReadonlyMap<string, HTMLElement>): void {
    const anchor = anchors.find(({ id }) => rows.has(id));
    const row = anchor && rows.get(anchor.id);
    if (!row) return;
    const error = () => row.getBoundingClientRect().top - this.root.getBoundingClientRect().top - anchor.top;
    const moved = error();
    // Chromium lets it pass the end by a pixel, and takes that back later, as if the reader had scrolled.
    if (Math.abs(moved) > 0.5) this.root.scrollTop = Math.min(0, this.root.scrollTop + moved);
    this.#held = { scrollTop: this.root.scrollTop, error: error() };
  }

  /** Where a row has to stand so that all of it is in view, or its beginning; `undefined` if it is not drawn. */
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
  const found = new Map<string, HTMLElement>();
  for (const row of rows.children) if (row instanceof HTMLElement && row.dataset.id) found.set(row.dataset.id, row);
  return found;
}
