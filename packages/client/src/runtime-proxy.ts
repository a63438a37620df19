import { type ProxySetting, proxyFor } from '@hub/contract/proxy';

interface Runtime {
  Bun?: unknown;
  Deno?: unknown;
  process?: {
    env?: Record<string, string | undefined>;
    execArgv?: string[];
    allowedNodeEnvironmentFlags?: ReadonlySet<string>;
  };
}

/** Returns the proxy in the environment for a URL, and whether the `fetch` of this runtime uses it. */
export function runtimeProxy(url: string): { proxy: ProxySetting; isUsed: boolean } | undefined {
  const { Bun, Deno, process } = globalThis as Runtime;
  // Deno would ask for permission to read the environment.
  const { env, execArgv, allowedNodeEnvironmentFlags: flags } = (Deno === undefined && process) || {};
  const proxy = env && proxyFor(url, env);
  if (!proxy) return undefined;
  const isAsked = env.NODE_USE_ENV_PROXY === '1' || execArgv?.includes('--use-env-proxy');
  return { proxy, isUsed: Bun !== undefined || (isAsked === true && flags?.has('--use-env-proxy') === true) };
}
