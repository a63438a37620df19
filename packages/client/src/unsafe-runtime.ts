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
 * The place, if this is one where a secret is in the hands of whoever opens the page or unpacks the app: a browser's page,
 * its workers, React Native. A server runtime is told by what only it has, so that jsdom in a test is let through; the
 * workers of edge platforms are not taken for a browser's, whose user agents all begin with `Mozilla/`.
 */
export function leakyPlace(environment: unknown = globalThis): 'a browser' | 'React Native' | undefined {
  const { process, Bun, Deno, navigator, window, document, WorkerGlobalScope } = environment as RuntimeEnvironment;
  if (typeof process?.versions?.node === 'string' || Bun !== undefined || Deno !== undefined) return undefined;
  if (navigator?.product === 'ReactNative') return 'React Native';
  const isPage = window !== undefined && document !== undefined;
  const isBrowserWorker = WorkerGlobalScope !== undefined && String(navigator?.userAgent).startsWith('Mozilla/');
  return isPage || isBrowserWorker ? 'a browser' : undefined;
}
