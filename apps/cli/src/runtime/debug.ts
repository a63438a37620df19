import { proxyFor } from '@hub/contract/proxy';
import { withoutSecrets } from './command-line.ts';
import type { Deps } from './deps.ts';
import { plainLine } from './terminal-text.ts';

/**
 * Returns the same dependencies, except that each request writes a line to standard error: method, URL, status, time,
 * request ID and proxy. Headers and bodies, which contain passwords, keys and tokens, are never shown.
 */
export function debugging(deps: Deps): Deps {
  const log = (text: string) => deps.stderr.write(`-- ${plainLine(withoutSecrets(text))}\n`);
  return Object.create(deps, {
    fetch: {
      value: async (url: string, init: BunFetchRequestInit) => {
        const at = init.unix === undefined ? url : `${init.unix}:${url.slice(new URL(url).origin.length)}`;
        const name = `${init.method ?? 'GET'} ${at}`;
        const began = deps.clock.now();
        const after = () => `after ${deps.clock.now() - began} ms${init.unix === undefined ? through(deps, url) : ''}`;
        try {
          const response = await deps.fetch(url, init);
          const id = response.headers.get('x-request-id');
          log(`${name}: ${response.status} ${after()}${id === null ? '' : `, request ${id}`}`);
          return response;
        } catch (error) {
          const { code, name: kind } = error as { code?: unknown; name?: unknown };
          log(`${name}: failed with ${code ?? kind} ${after()}`);
          throw error;
        }
      },
    },
    openSocket: {
      value: (url: string, headers: Record<string, string>) => {
        log(`WebSocket ${url}${through(deps, url)}`);
        return deps.openSocket(url, headers);
      },
    },
  });
}

function through({ env }: Deps, url: string): string {
  const proxy = proxyFor(url, env);
  if (proxy === undefined) return '';
  // Without the user name and the password.
  return ` through ${URL.canParse(proxy.url) ? new URL(proxy.url).origin : 'the proxy'} (${proxy.variable})`;
}
