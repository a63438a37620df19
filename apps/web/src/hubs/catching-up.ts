import type { EventFrame } from '@hub/contract';

/** Counts what arrived while there was no connection, until every Hub has told all of it. */
export class CatchingUp {
  readonly #onDone: (posts: number) => void;
  #waitsFor = new Set<string>();
  #posts = 0;

  /** `onDone` is told how many posts it were. */
  constructor(onDone: (posts: number) => void) {
    this.#onDone = onDone;
  }

  /** There is a connection again, and these Hubs are asked for what was missed. */
  begin(hubIds: Iterable<string>): void {
    this.#posts = 0;
    this.#waitsFor = new Set(hubIds);
    if (this.#waitsFor.size === 0) this.#onDone(0);
  }

  take({ hubId, event }: EventFrame): void {
    if (this.#waitsFor.has(hubId) && /^(?:message|note|todo)\.created$/.test(event)) this.#posts += 1;
  }

  /** This Hub has told all, or there is nothing more to be told of it. */
  done(hubId: string): void {
    if (this.#waitsFor.delete(hubId) && this.#waitsFor.size === 0) this.#onDone(this.#posts);
  }

  /** The connection is gone once more. */
  stop(): void {
    this.#waitsFor.clear();
  }
}
