import type { EventFrame } from '@hub/contract';

/** Counts the posts that arrived while there was no connection, until every Hub has caught up. */
export class CatchingUp {
  readonly #onDone: (posts: number) => void;
  #waitsFor = new Set<string>();
  #posts = 0;

  /** `onDone` gets the number of posts. */
  constructor(onDone: (posts: number) => void) {
    this.#onDone = onDone;
  }

  /** Starts counting: the connection is back, and these Hubs are catching up. */
  begin(hubIds: Iterable<string>): void {
    this.#posts = 0;
    this.#waitsFor = new Set(hubIds);
    if (this.#waitsFor.size === 0) this.#onDone(0);
  }

  take({ hubId, event }: EventFrame): void {
    if (this.#waitsFor.has(hubId) && /^(?:message|note|todo)\.created$/.test(event)) this.#posts += 1;
  }

  /** Marks a Hub as caught up, or as gone. */
  done(hubId: string): void {
    if (this.#waitsFor.delete(hubId) && this.#waitsFor.size === 0) this.#onDone(this.#posts);
  }

  /** Stops counting: the connection is lost again. */
  stop(): void {
    this.#waitsFor.clear();
  }
}
