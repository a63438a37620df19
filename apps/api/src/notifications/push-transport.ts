import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { printable } from '../platform/errors.ts';
import type { PushRequest, PushTransport } from '../platform/ports.ts';
import { isPublicAddress } from './push-address.ts';

const RESPONSE_MS = 10_000;
const MAX_REASON_BYTES = 1_000;

/** Sends requests to push services. Every address of the host must be public, and the checked one is connected to. */
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
      const reason = await beginningOf(response);
      return { status: response.status, retryAfter: response.headers.get('retry-after'), reason };
    },
  };
}

/** Returns the beginning of an error's body. The rest is not read, since it could be long. */
async function beginningOf({ ok, body }: Response): Promise<string> {
  const reader = body?.getReader();
  const first = ok ? undefined : await reader?.read();
  await reader?.cancel();
  return printable(
    new TextDecoder().decode(first?.value?.subarray(0, MAX_REASON_BYTES)).trim().replaceAll(/\s+/g, ' '),
  );
}

/** Replaces the host name of the URL with one of its addresses. The certificate must still match the name. */
async function pin(url: URL, signal: AbortSignal): Promise<{ headers?: { host: string }; serverName?: string }> {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0) {
    if (!isPublicAddress(name)) throw localAddressError(name);
    return {};
  }
  const addresses = await Promise.race([lookup(name, { all: true }), aborted(signal)]);
  const local = addresses.find(({ address }) => !isPublicAddress(address));
  if (local) throw localAddressError(name);
  // IPv4 first: many servers have no outgoing IPv6.
  const target = addresses.find(({ family }) => family === 4) ?? addresses[0];
  if (!target) throw new Error(`${name} has no address`);
  const { host } = url;
  url.hostname = target.family === 6 ? `[${target.address}]` : target.address;
  return { headers: { host }, serverName: name };
}

function localAddressError(name: string): Error {
  return new Error(`${name} resolves to this machine or its local network, where there are no push services`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The DNS lookup timed out')), { once: true });
  });
}
