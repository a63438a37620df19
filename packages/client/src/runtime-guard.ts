import { HubUsageError } from './errors.ts';
import { leakyPlace } from './unsafe-runtime.ts';

/** Throws where a key would be in the hands of whoever opens the page or unpacks the app. */
export function rejectWhereKeysLeak(environment: unknown = globalThis): void {
  const place = leakyPlace(environment);
  if (place === undefined) return;
  throw new HubUsageError(
    `HubClient does not run in ${place}: everyone who has the app could read ` +
      'the API key. Post from your server, and let the app talk to that.',
  );
}
