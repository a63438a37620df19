import { createECDH } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { printable } from '../platform/errors.ts';
import type { PushRequest, PushTransport, Random } from '../platform/ports.ts';
import type { PushIdentity } from '../storage/notifications.ts';

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

function blockList(family: 'ipv4' | 'ipv6', ...ranges: string[]): BlockList {
  const list = new BlockList();
  for (const [address = '', bits] of ranges.map((range) => range.split('/')))
    list.addSubnet(address, Number(bits), family);
  return list;
}

/** IPv4 ranges that are not public (the registries of RFC 6890) and so cannot belong to push services. */
const LOCAL_4 = blockList(
  'ipv4',
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  '224.0.0.0/3',
);

/** Public IPv6 addresses: the allocated range minus the reserved ranges and the ranges that embed IPv4 addresses. */
const ALLOCATED_6 = blockList('ipv6', '2000::/3');
const RESERVED_6 = blockList('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** Returns whether an IP address is public, that is, does not belong to this machine or its network. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !LOCAL_4.check(address, 'ipv4');
  return ALLOCATED_6.check(address, 'ipv6') && !RESERVED_6.check(address, 'ipv6');
}

/** Returns an error message if the URL of an endpoint is not acceptable, or null. */
export function endpointProblem(endpoint: string, { isLocalAllowed }: { isLocalAllowed: boolean }): string | null {
  const url = URL.parse(endpoint);
  const schemes = isLocalAllowed ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol))
    return 'endpoint must be the https URL that the push service gave to the browser';
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'endpoint must not contain a user name, a password or a fragment (#)';
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIPv4(host) || host.includes(':');
  const isLocal = isAddress ? !isPublicAddress(host) : /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/.test(host);
  return isLocal && !isLocalAllowed ? 'endpoint must be a public internet address' : null;
}

const CURVE = 'prime256v1';

/** Generates a P-256 key pair. Retries if a random value is not a valid scalar (less than 1 in 2³²). */
export function generateKeyPair(random: Random): PushIdentity {
  for (;;) {
    const pair = createECDH(CURVE);
    const privateKey = random.bytes(32);
    try {
      pair.setPrivateKey(privateKey);
      return { privateKey, publicKey: pair.getPublicKey() };
    } catch {
      // Zero, or not below the order of the curve.
    }
  }
}

/** Returns whether these bytes are a valid public key of a browser: an uncompressed point on the P-256 curve. */
export function isPublicKey(point: Uint8Array): boolean {
  if (point.length !== 65 || point[0] !== 4) return false;
  try {
    const probe = createECDH(CURVE);
    probe.setPrivateKey(Buffer.alloc(32, 1));
    probe.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}
