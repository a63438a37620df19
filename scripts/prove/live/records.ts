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
