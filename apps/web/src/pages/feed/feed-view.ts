import type { Item } from '@hub/contract';
import { effect, type Signal, signal, untracked } from '@preact/signals';
import { firstIndex, insertionIndex } from '../../data/items/item.ts';
import type { ItemList } from '../../data/items/item-list.ts';
import { type CollapsedItems, MAX_COLLAPSED } from '../../lib/repeats.ts';
import { type Anchor, EDGE, elementsById, type FeedScroll, HEAD, type Spot } from './feed-scroll.ts';
import { holds, REACH, RowHeights, type RowWindow, rowsWithin, stepTo } from './row-window.ts';

const MAX_NEW_ROWS = 8;
/** Further pages are requested this many rows before the end of the loaded ones. */
const NEAR_END_ROWS = 25;

/** `items`: the items that `start` and `end` are indexes of. */
type DrawnRows = RowWindow & CollapsedItems;

interface FeedViewOptions {
  /** Whether the newest row is on top. */
  isNewestFirst?: boolean;
  /** The event after which items count as new. */
  seq?: number;
  /** The newest event whose item has been seen before. */
  seenSeq?: number;
  /** Returns the items that have a row; `heldId` is the one that must keep its row. Reads signals. */
  rowsOf?: (items: readonly Item[], heldId: string | null) => CollapsedItems;
}

const eachHasRow = (items: readonly Item[]): CollapsedItems => ({ items, repeats: new Map() });

/** Measured row heights of each list, reused when it is shown again. */
const measured = new WeakMap<ItemList, RowHeights>();

/**
 * Which rows of a long list are drawn, and the reader's position in it. Only rows near the view are in the document;
 * the others are spacers of their measured or estimated height. When rows are added, removed or resized, the rows in
 * view keep their position, unless the reader is at the end: the feed then stays at its end.
 */
export class FeedView {
  readonly drawn: Signal<DrawnRows>;
  readonly isAtEnd = signal(false);
  /** Whether the newest item is more than a screen away. */
  readonly isFar = signal(false);
  /** The newest event whose item has been in view. */
  readonly seenSeq: Signal<number>;
  /** Whether the initial position is decided; nothing is visible until then. */
  readonly isPlaced = signal(false);
  /** Whether the oldest item is one of so many repeats that older ones load only when they are asked for. */
  readonly isPaused = signal(false);
  readonly isNewestFirst: boolean;
  readonly seq: number;
  readonly #rowsOf: NonNullable<FeedViewOptions['rowsOf']>;
  readonly #list: ItemList;
  readonly #heights: RowHeights;
  #scroll: FeedScroll | null = null;
  #heldRow: () => string | null = () => null;
  #anchors: readonly Anchor[] = [];
  /** The position to scroll to once it is drawn. */
  #target: Spot | null = null;
  /** The row that the reader was taken to, which keeps its position until the reader scrolls. */
  #pinned: (Anchor & { outlastsArrivals: boolean }) | null = null;
  #pauseAt = MAX_COLLAPSED;
  #frame = 0;
  #settleFrame = 0;

  constructor(
    list: ItemList,
    { isNewestFirst = false, seq = 0, seenSeq = seq, rowsOf = eachHasRow }: FeedViewOptions = {},
  ) {
    this.#list = list;
    this.isNewestFirst = isNewestFirst;
    this.seq = seq;
    this.seenSeq = signal(seenSeq);
    this.#rowsOf = rowsOf;
    const rows = untracked(() => rowsOf(list.items.value, null));
    const { length } = rows.items;
    this.drawn = signal({ ...rows, start: Math.max(0, length - MAX_NEW_ROWS), end: length });
    this.#heights = measured.get(list) ?? new RowHeights();
    measured.set(list, this.#heights);
  }

  /** `heldRow`: the row with an open editor or overlay, which keeps its position. Returns a function that detaches it. */
  attach(scroll: FeedScroll, heldRow: () => string | null): () => void {
    this.#scroll = scroll;
    this.#heldRow = heldRow;
    const stopItems = effect(() => this.#takeItems(this.#rowsOf(this.#list.items.value, this.#heldRow())));
    const stopScroll = scroll.listen({
      onScroll: () => this.#scrolled(),
      onResize: () => this.settle(),
      onHold: (row) => this.goTo(row),
    });
    return () => {
      stopItems();
      stopScroll();
      cancelAnimationFrame(this.#frame);
      cancelAnimationFrame(this.#settleFrame);
      this.#scroll = null;
    };
  }

  get spot(): Spot {
    const anchor = this.#pinned ?? this.#anchors[0];
    return this.isAtEnd.peek() || !anchor ? 'end' : anchor;
  }

  /**
   * Goes to a position, immediately or as soon as it is drawn. A row stays there until the reader scrolls, or until a
   * new item arrives while the end is in view and the feed scrolls to it. With `outlastsArrivals`, the row stays until
   * the reader scrolls.
   */
  goTo(to: Spot, { outlastsArrivals = false } = {}): void {
    const { items, start, end } = this.drawn.peek();
    const spot = to === 'end' ? to : { ...to, id: this.#rowOf(to.id) };
    const index = spot === 'end' ? -1 : items.findIndex(({ id }) => id === spot.id);
    this.#target = spot !== 'end' && spot.id !== HEAD && index < 0 ? 'end' : spot;
    this.#pinned = this.#target === 'end' ? null : { ...this.#target, outlastsArrivals };
    this.isPlaced.value = true;
    this.#scroll?.forgetInput();
    if (this.#target === 'end' && end < items.length)
      this.#draw({ start: Math.max(0, items.length - MAX_NEW_ROWS), end: items.length });
    if (index >= 0 && (index < start || index >= end)) {
      this.#draw({ start: Math.max(0, index - 5), end: Math.min(items.length, index + 10) });
    }
    this.settle();
  }

  /** Scrolls a row into view by the shortest distance. */
  reveal(id: string): void {
    if (this.#pinned?.id === id) return;
    const spot = this.#scroll?.nearest(id) ?? { id, top: 80 };
    const present = this.#anchors.find((anchor) => anchor.id === id);
    // A row in view stays there while the feed follows its end.
    if (this.isAtEnd.peek() && present && Math.abs(present.top - spot.top) <= EDGE) return;
    this.goTo(spot);
  }

  /** Measures after a draw or resize, and restores the reader's position or scrolls to the target. */
  settle(): void {
    const scroll = this.#scroll;
    if (!scroll) return;
    const rows = elementsById(scroll.rows);
    for (const [id, row] of rows) if (id !== HEAD) this.#heights.set(id, row.getBoundingClientRect().height);
    const target = this.#target;
    if (target === 'end') {
      scroll.toEnd();
      const { items, end } = this.drawn.peek();
      const newest = items.at(-1);
      if (end === items.length && (!newest || rows.has(newest.id))) this.#target = null;
    } else if (target && rows.has(target.id)) {
      scroll.hold([target], rows);
      this.#target = null;
    } else if (!target && scroll.hasMoved) {
      this.#pinned = null;
    } else if (!target) {
      const heldId = this.#heldRow();
      if (this.isAtEnd.peek() && scroll.isShorter && !this.#pinned?.outlastsArrivals) this.#pinned = null;
      if (this.#pinned && rows.has(this.#pinned.id)) scroll.hold([this.#pinned], rows);
      else if (this.isAtEnd.peek() && heldId === null) scroll.toEnd();
      else scroll.hold([...this.#anchors.filter(({ id }) => id === heldId), ...this.#anchors], rows);
    }
    this.#note();
    this.#update();
  }

  resume(): void {
    this.#pauseAt += MAX_COLLAPSED;
    this.#update();
  }

  #rowOf(id: string): string {
    for (const [newest, { older, isOpen }] of this.drawn.peek().repeats)
      if (!isOpen && older.some((item) => item.id === id)) return newest;
    return id;
  }

  /** Returns the height of the rows that are not drawn, on both sides. */
  roomOf({ items, start, end }: Omit<DrawnRows, 'repeats'>): { before: number; after: number } {
    const starts = this.#heights.startsOf(items);
    const [all, first, last] = [starts[0] ?? 0, starts[start] ?? 0, starts[end] ?? 0];
    return { before: all - first, after: last };
  }

  #scrolled(): void {
    if (this.#scroll?.hasMoved) this.#pinned = null;
    this.#note();
    this.#update();
  }

  /** Keeps drawing the same rows, no matter what was added before or between them. */
  #takeItems({ items, repeats }: CollapsedItems): void {
    const { items: former, start, end } = this.drawn.peek();
    if (former === items) return;
    const [first, last] = [former[start], former[end - 1]];
    const isFollowing = this.isAtEnd.peek() || former.length === 0;
    const { order } = this.#list;
    const from = first ? insertionIndex(items, first, order) : Math.max(0, items.length - MAX_NEW_ROWS);
    const isAfter = (item: Item | undefined) => !item || !last || order(item, last) > 0;
    const to = isFollowing || !last ? items.length : firstIndex(items.length, (n) => isAfter(items[n]));
    if (this.isAtEnd.peek() && items.at(-1) !== former.at(-1) && !this.#pinned?.outlastsArrivals) this.#pinned = null;
    this.drawn.value = { items, repeats, start: Math.min(from, to), end: to };
  }

  #note(): void {
    const scroll = this.#scroll;
    // An item that is not drawn yet has no position to keep.
    if (!scroll || this.#target !== null || !this.isPlaced.peek()) return;
    this.#anchors = scroll.anchors();
    const isEndInView = scroll.fromEnd <= 2 && !this.#list.hasNewer.peek();
    // An item that appears for a moment below the row that the reader was taken to does not count as read.
    const isTooEarly = isEndInView && this.#pinned !== null && scroll.isGrowing;
    this.isAtEnd.value = isEndInView && !isTooEarly;
    cancelAnimationFrame(this.#settleFrame);
    if (isTooEarly) this.#settleFrame = requestAnimationFrame(() => this.settle());
    this.isFar.value = scroll.fromEnd > scroll.length || this.#list.hasNewer.peek();
    const { items } = this.drawn.peek();
    // The upper edge of a row in the space below the last one says nothing yet.
    const inView = new Set(this.#anchors.filter(({ top }) => top < scroll.length - EDGE).map(({ id }) => id));
    const last = this.isAtEnd.peek() ? items.at(-1) : items.findLast(({ id }) => inView.has(id));
    if (!isTooEarly) this.seenSeq.value = Math.max(this.seenSeq.peek(), last?.seq ?? 0);
  }

  #update(): void {
    const scroll = this.#scroll;
    const { items, repeats, ...present } = this.drawn.peek();
    if (!scroll || items.length === 0) return;
    const starts = this.#heights.startsOf(items);
    const [fromEnd, length] = [this.#fromEndOf(starts), scroll.length];
    const within = (margin: number): RowWindow =>
      rowsWithin({ starts, fromEnd: fromEnd - margin, length: length + 2 * margin });
    const inView = within(0);
    const { overscan, margin: minimum, step } = REACH;
    this.#loadNear(inView, items.length);
    if (this.#target !== null) return;
    if (
      holds(present, within(minimum)) &&
      present.end - present.start < within(overscan * 2).end - within(overscan * 2).start
    )
      return;
    const target = within(overscan);
    const next = stepTo(target, { present, inView, maxNew: step });
    this.#draw(next);
    if (!holds(next, target)) this.#updateSoon();
  }

  /**
   * The distance from the view to the end of the last row, according to the heights in `starts`. These are the latest,
   * but the spacers in the document still have the previous ones, and where most heights are estimated, the two can be
   * several screens apart. The distance is therefore measured from a row in view.
   */
  #fromEndOf(starts: Float64Array): number {
    const scroll = this.#scroll;
    if (!scroll) return 0;
    // A pinned row reaches its position with the next `settle`, which may be a frame late on a busy machine.
    const anchor = this.#target === null ? (this.#pinned ?? this.#anchors[0]) : undefined;
    const row = anchor ? this.drawn.peek().items.findIndex(({ id }) => id === anchor.id) : -1;
    if (!anchor || row < 0) return scroll.fromEnd - scroll.foot;
    return this.isNewestFirst ? (starts[row + 1] ?? 0) - anchor.top : (starts[row] ?? 0) - (scroll.length - anchor.top);
  }

  #updateSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#update());
  }

  #draw({ start, end }: RowWindow): void {
    const present = this.drawn.peek();
    if (present.start === start && present.end === end) return;
    this.drawn.value = { ...present, start, end };
  }

  #loadNear({ start, end }: RowWindow, count: number): void {
    const list = this.#list;
    const { repeats } = this.drawn.peek();
    const oldestId = list.items.peek()[0]?.id;
    const oldest = [...repeats.values()].find((each) => each.oldest === oldestId);
    this.isPaused.value = list.hasOlder.peek() && oldest?.isOpen === false && oldest.older.length >= this.#pauseAt;
    if (start < NEAR_END_ROWS && list.hasOlder.peek() && !this.isPaused.peek() && list.older.peek().status === 'ready')
      void list.loadOlder();
    if (count - end < NEAR_END_ROWS && list.hasNewer.peek() && list.newer.peek().status === 'ready')
      void list.loadNewer();
  }
}
