import type { Clock } from '../../../client/src/clock.ts';
import { TestClock } from '../in-process/test-clock.ts';

/** The clock of a test as the client uses it: there is one time, which begins at 0. */
export class ManualClock extends TestClock implements Clock {
  /** `readingMs`: the duration of each clock reading, as on a real machine, where no two readings are the same. */
  constructor(readonly readingMs = 0) {
    super();
  }

  override now(): number {
    this.moveTo(this.monotonic() + this.readingMs);
    return this.monotonic();
  }
}
