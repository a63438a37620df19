import { HubUsageError } from './errors.ts';

interface Surroundings {
  process?: { versions?: { node?: unknown } };
  Bun?: unknown;
  Deno?: unknown;
  navigator?: { product?: unknown; userAgent?: unknown };
  window?: unknown;
  document?: unknown;
  WorkerGlobalScope?: unknown;
}

/**
 * Throws where a key would be in the hands of whoever opens the page or unpacks the app: in a browser's page, in its
 * workers and in React Native. A server runtime is told by what only it has, so that jsdom in a test is let through;
 * the workers of edge platforms are not taken for a browser's, whose user agents all begin with `Mozilla/`.
 */
export function refuseWhereKeysLeak(surroundings: unknown = globalThis): void {
  const { process, Bun, Deno, navigator, window, document, WorkerGlobalScope } = surroundings as Surroundings;
  if (typeof process?.versions?.node === 'string' || Bun !== undefined || Deno !== undefined) return;
  const isReactNative = navigator?.product === 'ReactNative';
  const isPage = window !== undefined && document !== undefined;
  const isBrowserWorker = WorkerGlobalScope !== undefined && String(navigator?.userAgent).startsWith('Mozilla/');
  if (!isReactNative && !isPage && !isBrowserWorker) return;
  throw new HubUsageError(
    `HubClient does not run in ${isReactNative ? 'React Native' : 'a browser'}: everyone who has the app could read ` +
      'the API key. Post from your server, and let the app talk to that.',
  );
}
