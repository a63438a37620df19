import type { Deps } from './deps.ts';

/**
 * Returns the proxy for a WebSocket. Unlike `fetch`, a WebSocket does not take it from the environment. Follows curl:
 * `https_proxy` for wss, `http_proxy` for ws, in lower or upper case, except for the hosts in `no_proxy`.
 */
export function proxyFor(url: string, env: Deps['env']): string | undefined {
  if (!/^wss?:\/\//.test(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const name = protocol === 'wss:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[name] || env[name.toUpperCase()];
  if (!proxy) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  const without = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(/[\s,]+/);
  const isExempt = without
    .filter((entry) => entry !== '')
    .some((entry) => {
      const suffix = entry.replace(/^\*?\./, '');
      const isHost = (name: string) => host === name || host.endsWith(`.${name}`);
      return (
        entry === '*' ||
        isHost(suffix) ||
        (port !== '' && suffix.endsWith(`:${port}`) && isHost(suffix.slice(0, -port.length - 1)))
      );
    });
  return isExempt ? undefined : proxy;
}
