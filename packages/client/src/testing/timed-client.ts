import { HubClient, RUNTIME_ENVIRONMENT } from '../hub-client.ts';
import type { HubClientOptions } from '../options.ts';
import { Pacers } from '../pacers.ts';
import { ManualClock } from './manual-clock.ts';

/** Returns a client with a manual clock and its own pacing. */
export function timedClient(options: HubClientOptions): { hub: HubClient; clock: ManualClock } {
  const clock = new ManualClock();
  const environment = { clock, pacers: new Pacers(clock) };
  const hub = new HubClient({ ...options, [RUNTIME_ENVIRONMENT]: environment } as HubClientOptions);
  return { hub, clock };
}
