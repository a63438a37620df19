import { TestClock } from '@hub/testkit/in-process/test-clock';
import type { Clock } from '../src/clock.ts';
import { HubClient, RUNTIME_ENVIRONMENT } from '../src/hub-client.ts';
import type { HubClientOptions } from '../src/options.ts';
import { Pacers } from '../src/pacing.ts';

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

/** Returns a client with a manual clock and its own pacing. */
export function timedClient(options: HubClientOptions): { hub: HubClient; clock: ManualClock } {
  const clock = new ManualClock();
  const environment = { clock, pacers: new Pacers(clock) };
  const hub = new HubClient({ ...options, [RUNTIME_ENVIRONMENT]: environment } as HubClientOptions);
  return { hub, clock };
}

/**
 * A key in the correct format that no server knows. It is a literal, so that the code under test does not compute its
 * checksum.
 */
export const TEST_KEY = 'hub_live_Test0000000000000000000000000000001LX5fn';
