import type { Item } from '@hub/contract';
import { effect, type Signal, signal } from '@preact/signals';
import type { ItemList } from '../items/item-list.ts';
import { placeOfSeq } from './feed-rows.ts';
import { type Anchor, elementsById, type FeedScroll, type Spot } from './feed-scroll.ts';
import { RowHeights } from './row-heights.ts';
import { holds, type RowWindow, rowsWithin, stepTo } from './row-window.ts';

/** Drawn beyond what is in view, in pixels: what one scrolls to is there already. */
const OVERSCAN = 1_200;
/** As soon as less than this is drawn beyond what is in view, more is. */
const MARGIN = 500;
const MAX_NEW_ROWS = 8;
/** Pages are asked for before one comes to the end of what is loaded. */
const NEAR_END_ROWS = 25;
const BUSY_MS = 400;
const QUIET_MS = 300;

export interface DrawnRows extends RowWindow {
  /** What `start` and `end` count. */
  items: readonly Item[];
}

/** What a list was measured to be, row by row, for the next time that it is shown. */
const measured = new WeakMap<ItemList, RowHeights>();

/**
 * Which rows of a long list are drawn, and where the reader stands in it. Only what is near the view is in the document; the rest
 * is room of the height that it had or may have. Nothing moves under the reader: when rows come, go or change, what he looks
 * at stays where it is, unless he is at the end, where the feed follows.
 */
export class FeedView {
  readonly drawn: Signal<DrawnRows> = signal({ items: [], start: 0, end: 0 });
  /** The newest is in view. */
  readonly isAtEnd = signal(false);
  /** More than a screen away from the newest. */
  readonly isFar = signal(false);
  /** What came after this event has not been in view. */
  readonly seenSeq: Signal<number>;
  /** No row has come for a moment: there is time for what nobody has asked for yet. */
  readonly isQuiet = signal(true);
  /** It was decided where the reader begins; nothing is to be seen before. */
  readonly isPlaced = signal(false);
  readonly #list: ItemList;
  readonly #heights: RowHeights;
  #scroll: FeedScroll | null = null;
  #isHeld: () => boolean = () => false;
  #anchors: readonly Anchor[] = [];
  /** Where to go once it is drawn. */
  #target: Spot | null = null;
  /** The row that the reader was brought to. It keeps its place, whatever grows around it, until they scroll. */
  #pinned: (Anchor & { outlastsArrivals: boolean }) | null = null;
  #frame = 0;
  #settleFrame = 0;
  #busyTimer: ReturnType<typeof setTimeout> | undefined;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;

  /** `seq`: the newest event when the feed was opened. */
  constructor(list: ItemList, seq: number) {
    this.#list = list;
    this.seenSeq = signal(seq);
    this.#heights = measured.get(list) ?? new RowHeights();
    measured.set(list, this.#heights);
  }

  /** `isHeld`: something in a row has all attention, so that the feed does not follow. The result ends it. */
  attach(scroll: FeedScroll, isHeld: () => boolean): () => void {
    this.#scroll = scroll;
    this.#isHeld = isHeld;
    const stopItems = effect(() => this.#takeItems(this.#list.items.value));
    const stopScroll = scroll.listen({ onScroll: () => this.#scrolled(), onResize: () => this.settle() });
    return () => {
      stopItems();
      stopScroll();
      cancelAnimationFrame(this.#frame);
      cancelAnimationFrame(this.#settleFrame);
      clearTimeout(this.#busyTimer);
      clearTimeout(this.#quietTimer);
      this.#scroll = null;
    };
  }

  /** Where the reader stands, to come back to. */
  get spot(): Spot {
    const anchor = this.#pinned ?? this.#anchors[0];
    return this.isAtEnd.peek() || !anchor ? 'end' : anchor;
  }

  /**
   * Goes to a position; at once, or as soon as it is drawn. A row stays there until the reader scrolls, or until a new item arrives
   * while the end is in view, which the feed then follows. `outlastsArrivals`: only until the reader scrolls.
   */
  goTo(spot: Spot, { outlastsArrivals = false } = {}): void {
    const { items, start, end } = this.drawn.peek();
    const place = spot === 'end' ? -1 : items.findIndex(({ id }) => id === spot.id);
    this.#target = place < 0 ? 'end' : spot;
    this.#pinned = spot === 'end' || place < 0 ? null : { ...spot, outlastsArrivals };
    this.isPlaced.value = true;
    this.#scroll?.forgetInput();
    if (place < 0 && end < items.length)
      this.#draw({ start: Math.max(0, items.length - MAX_NEW_ROWS), end: items.length });
    if (place >= 0 && (place < start || place >= end)) {
      this.#draw({ start: Math.max(0, place - 5), end: Math.min(items.length, place + 10) });
    }
    this.settle();
  }

  /** Brings a row into view by the shortest way. */
  reveal(id: string): void {
    if (this.#pinned?.id === id) return;
    this.goTo(this.#scroll?.nearest(id) ?? { id, top: 80 });
  }

  /** After anything was drawn or has another size: measures, and puts the reader where he was or wants to be. */
  settle(): void {
    const scroll = this.#scroll;
    if (!scroll) return;
    const rows = elementsById(scroll.rows);
    for (const [id, row] of rows) this.#heights.set(id, row.getBoundingClientRect().height);
    const target = this.#target;
    if (target === 'end') {
      scroll.toEnd();
      if (this.drawn.peek().end === this.drawn.peek().items.length) this.#target = null;
    } else if (target && rows.has(target.id)) {
      scroll.hold([target], rows);
      this.#target = null;
    } else if (!target && scroll.hasMoved) {
      this.#pinned = null;
    } else if (!target) {
      if (this.#pinned && rows.has(this.#pinned.id)) scroll.hold([this.#pinned], rows);
      else if (this.isAtEnd.peek() && !this.#isHeld()) scroll.toEnd();
      else scroll.hold(this.#anchors, rows);
    }
    this.#note();
    this.#update();
  }

  /** The height of the rows that are not drawn, on both sides. */
  roomOf({ items, start, end }: DrawnRows): { before: number; after: number } {
    const starts = this.#heights.startsOf(items);
    const [all, first, last] = [starts[0] ?? 0, starts[start] ?? 0, starts[end] ?? 0];
    return { before: all - first, after: last };
  }

  #scrolled(): void {
    if (this.#scroll?.hasMoved) this.#pinned = null;
    this.#note();
    this.#update(true);
  }

  /** The rows that were drawn stay so, whatever came before or between them. */
  #takeItems(items: readonly Item[]): void {
    const { items: former, start, end } = this.drawn.peek();
    if (former === items) return;
    const [first, last] = [former[start], former[end - 1]];
    const isFollowing = this.isAtEnd.peek() || former.length === 0;
    const from = first ? placeOfSeq(items, first.seq) : Math.max(0, items.length - MAX_NEW_ROWS);
    const to = isFollowing || !last ? items.length : placeOfSeq(items, last.seq + 1);
    if (this.isAtEnd.peek() && items.at(-1) !== former.at(-1) && !this.#pinned?.outlastsArrivals) this.#pinned = null;
    const isOnlyLonger = former.length > 0 && items.length > former.length && items[0] === former[0];
    if (!isOnlyLonger) this.#setBusy();
    this.#stir();
    this.drawn.value = { items, start: Math.min(from, to), end: to };
  }

  #note(): void {
    const scroll = this.#scroll;
    // What is not there yet has no place that could be kept.
    if (!scroll || this.#target !== null || !this.isPlaced.peek()) return;
    this.#anchors = scroll.anchors();
    const isEndInView = scroll.fromEnd <= 2 && !this.#list.hasNewer.peek();
    // What has come into view for a moment, below the row that the reader was brought to, was not read.
    const isTooEarly = isEndInView && this.#pinned !== null && scroll.isGrowing;
    this.isAtEnd.value = isEndInView && !isTooEarly;
    cancelAnimationFrame(this.#settleFrame);
    if (isTooEarly) this.#settleFrame = requestAnimationFrame(() => this.settle());
    this.isFar.value = scroll.fromEnd > scroll.length || this.#list.hasNewer.peek();
    const { items } = this.drawn.peek();
    const inView = new Set(this.#anchors.map(({ id }) => id));
    const last = this.isAtEnd.peek() ? items.at(-1) : items.findLast(({ id }) => inView.has(id));
    if (!isTooEarly) this.seenSeq.value = Math.max(this.seenSeq.peek(), last?.seq ?? 0);
  }

  #update(isByReader = false): void {
    const scroll = this.#scroll;
    const { items, ...present } = this.drawn.peek();
    if (!scroll || items.length === 0) return;
    const starts = this.#heights.startsOf(items);
    const [fromEnd, length] = [this.#fromEndOf(starts), scroll.length];
    const within = (margin: number): RowWindow =>
      rowsWithin({ starts, fromEnd: fromEnd - margin, length: length + 2 * margin });
    const inView = within(0);
    this.#loadNear(inView, items.length);
    if (this.#target !== null) return;
    if (
      holds(present, within(MARGIN)) &&
      present.end - present.start < within(OVERSCAN * 2).end - within(OVERSCAN * 2).start
    )
      return;
    const wanted = within(OVERSCAN);
    const next = stepTo(wanted, { present, inView, most: MAX_NEW_ROWS });
    if (isByReader) this.#setBusy();
    this.#draw(next);
    if (!holds(next, wanted)) this.#updateSoon();
  }

  /**
   * What lies between the view and the end of the last row, in pixels of `starts`: these are of the last measurement, the room in the
   * document of the one before, and where most rows are estimated the two may be screens apart. So it is counted from a row in view.
   */
  #fromEndOf(starts: Float64Array): number {
    const scroll = this.#scroll;
    if (!scroll) return 0;
    // A pinned row stands where it belongs after the next `settle`, which may be a frame late on a busy machine.
    const anchor = this.#target === null ? (this.#pinned ?? this.#anchors[0]) : undefined;
    const row = anchor ? this.drawn.peek().items.findIndex(({ id }) => id === anchor.id) : -1;
    if (!anchor || row < 0) return scroll.fromEnd - scroll.foot;
    return (starts[row] ?? 0) - (scroll.length - anchor.top);
  }

  #updateSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#update(true));
  }

  #draw({ start, end }: RowWindow): void {
    const { items, ...present } = this.drawn.peek();
    if (present.start === start && present.end === end) return;
    this.#stir();
    this.drawn.value = { items, start, end };
  }

  #stir(): void {
    this.isQuiet.value = false;
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => {
      this.isQuiet.value = true;
    }, QUIET_MS);
  }

  #loadNear({ start, end }: RowWindow, count: number): void {
    const list = this.#list;
    if (start < NEAR_END_ROWS && list.hasOlder.peek() && list.older.peek().status === 'ready') {
      this.#setBusy();
      void list.loadOlder();
    }
    if (count - end < NEAR_END_ROWS && list.hasNewer.peek() && list.newer.peek().status === 'ready') {
      this.#setBusy();
      void list.loadNewer();
    }
  }

  /** Rows that come because one scrolls are no news: they are not announced. */
  #setBusy(): void {
    this.#scroll?.setBusy(true);
    clearTimeout(this.#busyTimer);
    this.#busyTimer = setTimeout(() => this.#scroll?.setBusy(false), BUSY_MS);
  }
}
