/** A proxy, and the environment variable that names it. */
export interface ProxySetting {
  /** With the user name and the password, if it has some. */
  url: string;
  variable: string;
}

/**
 * Returns the proxy for an http, https, ws or wss URL by the rules of curl: `https_proxy` for https and wss, `http_proxy`
 * for http and ws, in lower or upper case, except for the hosts in `no_proxy`. Bun's `fetch` has the same rules.
 */
export function proxyFor(url: string, env: Readonly<Record<string, string | undefined>>): ProxySetting | undefined {
  const name = { 'https:': 'https_proxy', 'wss:': 'https_proxy', 'http:': 'http_proxy', 'ws:': 'http_proxy' }[
    /^\w+:(?=\/\/)/.exec(url)?.[0] ?? ''
  ];
  if (name === undefined) return undefined;
  const variable = [name, name.toUpperCase()].find((each) => env[each]);
  if (variable === undefined) return undefined;
  const { hostname, port } = new URL(url);
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
  if (isExempt) return undefined;
  const value = env[variable] ?? '';
  return { url: value.includes('://') ? value : `http://${value}`, variable };
}

/** The code of an error of Bun and of hubctl: the proxy does not connect to the server. */
export const NO_TUNNEL = 'ERR_PROXY_TUNNEL';

/** Returns what failed at a proxy before anything was sent, without a period. `code` is that of the system's error. */
export function proxyProblem({ url, variable }: ProxySetting, origin: string, code: string): string {
  const name = `the proxy ${URL.canParse(url) ? new URL(url).origin : url} (${variable})`;
  return code === NO_TUNNEL
    ? `${name.replace('t', 'T')} does not connect to ${origin}`
    : `Cannot reach ${name}: ${code}`;
}
