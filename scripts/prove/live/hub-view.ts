import { applyEvent } from '@hub/client/live';
import type { EventFrame, Item } from '@hub/contract';
import { isItem } from '@hub/testkit';

export interface Loaded {
  items: readonly Item[];
  seq: number;
  epoch: string;
}

/** One reader's view of one Hub, built only from events. Checks the sequence numbers. */
export class HubView {
  readonly hubId: string;
  epoch: string | undefined;
  items = new Map<string, Item>();
  /** The last event that was processed. */
  position = 0;
  /**
   * Ranges of events that were skipped because a list included them: after the first number, up to and including the
   * second.
   */
  readonly jumps: [number, number][] = [];
  /** The expected number of the next event. */
  #next = 1;
  /** Numbers of events that are overdue. */
  readonly #absent = new Set<number>();
  /** How often each item's creation event was received, indexed by the item's number in the records. */
  #created = new Uint8Array(1024);
  /** Events that have arrived while a list is loading. */
  #kept: EventFrame[] | undefined;
  readonly #records: Records;
  readonly #usesLibrary: boolean;

  constructor(hubId: string, records: Records, { usesLibrary = false } = {}) {
    this.hubId = hubId;
    this.#records = records;
    this.#usesLibrary = usesLibrary;
  }

  get isLoading(): boolean {
    return this.#kept !== undefined;
  }

  /** Expects all events after this one, even those that were already received. */
  follows(after: number): void {
    const { sums } = this.#records;
    sums.missed += this.#absent.size;
    this.#absent.clear();
    sums.missed += Math.max(0, after - Math.max(this.position, this.#next - 1));
    this.#next = after + 1;
  }

  /** Expects the events after this one; earlier ones are in the list that is being loaded. */
  reset(seq: number): void {
    this.#absent.clear();
    this.#next = seq + 1;
    this.#kept = [];
  }

  /**
   * Replaces the state with a list, then applies the events that it does not include. `after` says whether the next
   * expected event is the one after the list or the one after the reset.
   */
  loaded({ items, seq, epoch }: Loaded, after: 'list' | 'reset'): void {
    if (seq < this.position)
      this.#records.surprise(`a list reflects ${seq}, although ${this.position} was received before`);
    this.jumps.push([this.position, seq]);
    this.items = new Map(items.map((item) => [item.id, item]));
    this.position = seq;
    this.epoch = epoch;
    if (after === 'list') this.#next = seq + 1;
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    // These events may have arrived before the list was read, and so may be older than the list.
    for (const event of kept) if (event.seq > seq) this.#apply(event);
  }

  take(event: EventFrame): void {
    this.#check(event.seq);
    if (this.#kept) this.#kept.push(event);
    else this.#apply(event);
  }

  /** Returns whether all expected events up to this one have arrived. */
  hasAll(seq: number): boolean {
    return this.position >= seq && this.#next > seq;
  }

  /** Returns how many events are missing, given the number of the newest one. */
  missing(newest: number): number {
    return this.#absent.size + Math.max(0, newest + 1 - this.#next);
  }

  timesCreated(id: string): number {
    return this.#created[this.#records.numberOf(id)] ?? 0;
  }

  #check(seq: number): void {
    const { sums } = this.#records;
    sums.frames += 1;
    if (seq === this.#next) {
      this.#next += 1;
    } else if (seq > this.#next) {
      for (let absent = this.#next; absent < seq; absent += 1) this.#absent.add(absent);
      this.#next = seq + 1;
    } else if (this.#absent.delete(seq)) {
      sums.outOfOrder += 1;
    } else {
      sums.twice += 1;
    }
  }

  #apply(event: EventFrame): void {
    if (event.seq > this.position) {
      this.position = event.seq;
      if (event.event.endsWith('.created') && 'kind' in event.data) this.#count(event.data.id, event.seq);
    }
    // A repeated event replaces the item again, as docs/live.md allows: it carries the current state.
    if (this.#usesLibrary) this.items = applyEvent(this.items, event) as Map<string, Item>;
    else applyByRule(this.items, event);
  }

  #count(id: string, seq: number): void {
    this.#records.created(id, seq);
    const number = this.#records.numberOf(id);
    if (number >= this.#created.length) {
      const longer = new Uint8Array(number * 2);
      longer.set(this.#created);
      this.#created = longer;
    }
    this.#created[number] = (this.#created[number] ?? 0) + 1;
  }
}

/**
 * Applies an event as docs/live.md says: it replaces the item; a deleted item is removed, unless it is a message with
 * replies.
 */
function applyByRule(items: Map<string, Item>, event: EventFrame): void {
  if (event.event === 'items.pruned') {
    for (const [id, { createdAt }] of items) if (createdAt < event.data.before) items.delete(id);
    return;
  }
  const { data } = event;
  if (!('kind' in data)) return;
  if (isItem(data) && (data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0))) {
    items.set(data.id, data);
  } else {
    items.delete(data.id);
  }
}

/** The records that all readers in a run share. */
export class Records {
  readonly sums = {
    frames: 0,
    connections: 0,
    cuts: 0,
    cutsInFrame: 0,
    resets: 0,
    staleStarts: 0,
    /** The number of connections that the server closed while their readers stalled. */
    givenUp: 0,
    missed: 0,
    twice: 0,
    outOfOrder: 0,
  };
  /** Unexpected behavior of the server; only the first few are kept. */
  readonly surprises: string[] = [];
  /** Maps the ID of an item to a small number, under which views count its creation events. */
  readonly #numbers = new Map<string, number>();
  /** Maps the ID of an item to the number of its creation event. */
  readonly createdAt = new Map<string, number>();

  surprise(what: string): void {
    if (this.surprises.length < 100) this.surprises.push(what);
  }

  numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** All readers must receive an item's creation event with the same number. */
  created(id: string, seq: number): void {
    const known = this.createdAt.get(id);
    if (known === undefined) this.createdAt.set(id, seq);
    else if (known !== seq) this.surprise(`${id} is created by event ${known} and by event ${seq}`);
  }
}
