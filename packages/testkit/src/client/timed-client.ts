import { HubClient, RUNTIME_ENVIRONMENT } from '../../../client/src/hub-client.ts';
import type { HubClientOptions } from '../../../client/src/options.ts';
import { Pacers } from '../../../client/src/pacers.ts';
import { ManualClock } from './manual-clock.ts';

/** Returns a client with a manual clock and its own pacing. */
export function timedClient(options: HubClientOptions): { hub: HubClient; clock: ManualClock } {
  const clock = new ManualClock();
  const environment = { clock, pacers: new Pacers(clock) };
  const hub = new HubClient({ ...options, [RUNTIME_ENVIRONMENT]: environment } as HubClientOptions);
  return { hub, clock };
}
