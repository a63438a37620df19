import { HubUsageError } from './errors.ts';

interface RuntimeEnvironment {
  process?: { versions?: { node?: unknown } };
  Bun?: unknown;
  Deno?: unknown;
  navigator?: { product?: unknown; userAgent?: unknown };
  window?: unknown;
  document?: unknown;
  WorkerGlobalScope?: unknown;
}

/**
 * Returns the runtime if anyone who can open the page or the app could read a secret in it: a browser page, its
 * workers, or React Native. Server runtimes are recognized by their own globals, so that jsdom in a test is accepted.
 * Workers on edge platforms are not mistaken for browser workers, whose user agents all begin with `Mozilla/`.
 */
export function leakyRuntime(environment: unknown = globalThis): 'a browser' | 'React Native' | undefined {
  const { process, Bun, Deno, navigator, window, document, WorkerGlobalScope } = environment as RuntimeEnvironment;
  if (typeof process?.versions?.node === 'string' || Bun !== undefined || Deno !== undefined) return undefined;
  if (navigator?.product === 'ReactNative') return 'React Native';
  const isPage = window !== undefined && document !== undefined;
  const isBrowserWorker = WorkerGlobalScope !== undefined && String(navigator?.userAgent).startsWith('Mozilla/');
  return isPage || isBrowserWorker ? 'a browser' : undefined;
}

/** Throws in runtimes where anyone who can open the page or the app could read the key. */
export function requireSafeRuntime(environment: unknown = globalThis): void {
  const runtime = leakyRuntime(environment);
  if (runtime === undefined) return;
  throw new HubUsageError(
    `HubClient does not run in ${runtime}: everyone with the app could read ` +
      'the API key. Post from your server, and call that server from the app.',
  );
}
