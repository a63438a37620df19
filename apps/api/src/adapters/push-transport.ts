import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isOuterAddress } from '../notifications/push-address.ts';
import type { PushRequest, PushTransport } from '../ports.ts';

const RESPONSE_MS = 10_000;

/**
 * Speaks to push services. An endpoint is what a browser said, so it could lead anywhere: the name is looked up here, every
 * address of it must be out in the Internet, and the connection goes to the very address that was looked at.
 */
export function pushTransport({ isLocalAllowed }: { isLocalAllowed: boolean }): PushTransport {
  return {
    isLocalAllowed,
    post: async ({ endpoint, headers, body }: PushRequest) => {
      const url = new URL(endpoint);
      const signal = AbortSignal.timeout(RESPONSE_MS);
      const pinned = isLocalAllowed ? {} : await pin(url, signal);
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, ...pinned.headers },
        body,
        redirect: 'manual',
        signal,
        ...(pinned.serverName === undefined ? {} : { tls: { serverName: pinned.serverName } }),
      });
      // What else it says is of no use, and could be long.
      await response.body?.cancel();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    },
  };
}

/** Puts an address of the host in the place of its name, which stays what the certificate must be for. */
async function pin(url: URL, signal: AbortSignal): Promise<{ headers?: { host: string }; serverName?: string }> {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0) {
    if (!isOuterAddress(name)) throw innerAddress(name);
    return {};
  }
  const found = await Promise.race([lookup(name, { all: true }), aborted(signal)]);
  const inner = found.find(({ address }) => !isOuterAddress(address));
  if (inner) throw innerAddress(name);
  // IPv4 first: many servers have no way out over IPv6.
  const chosen = found.find(({ family }) => family === 4) ?? found[0];
  if (!chosen) throw new Error(`${name} has no address`);
  const { host } = url;
  url.hostname = chosen.family === 6 ? `[${chosen.address}]` : chosen.address;
  return { headers: { host }, serverName: name };
}

function innerAddress(name: string): Error {
  return new Error(`${name} leads to this machine or its network, where no push service is`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The name was not looked up in time')), { once: true });
  });
}
