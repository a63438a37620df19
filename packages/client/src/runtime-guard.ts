import { HubUsageError } from './errors.ts';
import { leakyRuntime } from './unsafe-runtime.ts';

/** Throws in runtimes where anyone who can open the page or the app could read the key. */
export function requireSafeRuntime(environment: unknown = globalThis): void {
  const runtime = leakyRuntime(environment);
  if (runtime === undefined) return;
  throw new HubUsageError(
    `HubClient does not run in ${runtime}: everyone with the app could read ` +
      'the API key. Post from your server, and call that server from the app.',
  );
}
