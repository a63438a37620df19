/** Calls `work` for each item, `atOnce` at a time, and returns the results in the order of the items. */
export async function withConcurrency<T, R>(
  all: readonly T[],
  work: (each: T, index: number) => Promise<R>,
  atOnce = 8,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next; index < all.length; index = next) {
      next += 1;
      results[index] = await work(all[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Lets tests wait for what a subject does: for conditions that come to hold by some change of it. */
export class Changes {
  #waiting: { holds: () => boolean; resolve: () => void }[] = [];

  /** Resolves once the condition holds. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ holds, resolve });
      this.happened();
    });
  }

  /** Checks all conditions again. */
  happened(): void {
    const met = new Set(this.#waiting.filter(({ holds }) => holds()));
    this.#waiting = this.#waiting.filter((each) => !met.has(each));
    for (const { resolve } of met) resolve();
  }
}

/** Records values, and lets a test wait for them. */
export class Recorder<T> {
  readonly values: T[] = [];
  readonly #changes = new Changes();

  readonly add = (value: T): void => {
    this.values.push(value);
    this.#changes.happened();
  };

  /** Resolves with the nth value, counted from 1, once it is recorded. */
  async nth(count: number): Promise<T> {
    await this.#changes.until(() => this.values.length >= count);
    return this.values[count - 1] as T;
  }

  /** Resolves with the first value that passes the test. */
  async first(test: (value: T) => boolean): Promise<T> {
    await this.#changes.until(() => this.values.some(test));
    return this.values.find(test) as T;
  }
}

/** Resolves with true as soon as `holds` returns true, or with its last result after `limitMs`. */
export async function until(limitMs: number, holds: () => boolean | Promise<boolean>, everyMs = 20): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await Bun.sleep(everyMs)) {
    if (await holds()) return true;
  }
  return holds();
}

/**
 * Returns the error with which a promise rejects, or `null`. Bun's `expect().rejects` waits in a separate loop, in
 * which messages from a thread do not always arrive.
 */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}

/** Waits for one turn of the event loop. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns whether the promise is still pending after one turn of the event loop. */
export function isPending(promise: Promise<unknown>): Promise<boolean> {
  const isOver = () => false;
  return Promise.race([promise.then(isOver, isOver), eventLoopTurn().then(() => true)]);
}
