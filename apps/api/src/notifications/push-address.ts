import { BlockList, isIPv4 } from 'node:net';

/** IPv4 ranges that are not public (the registries of RFC 6890) and so cannot belong to push services. */
const LOCAL_4 = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  LOCAL_4.addSubnet(address, bits, 'ipv4');
}

/** Public IPv6 addresses: the allocated range minus the reserved ranges and the ranges that embed IPv4 addresses. */
const ALLOCATED_6 = new BlockList();
ALLOCATED_6.addSubnet('2000::', 3, 'ipv6');
const RESERVED_6 = new BlockList();
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  RESERVED_6.addSubnet(address, bits, 'ipv6');
}

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
