import { BlockList, isIPv4 } from 'node:net';

/** What does not lead out into the Internet (the registries of RFC 6890), and so is no push service. */
const INNER_4 = new BlockList();
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
  INNER_4.addSubnet(address, bits, 'ipv4');
}

/** Of IPv6 only what is given out is good, less what is set aside in it or holds an address of IPv4. */
const GIVEN_OUT_6 = new BlockList();
GIVEN_OUT_6.addSubnet('2000::', 3, 'ipv6');
const SET_ASIDE_6 = new BlockList();
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  SET_ASIDE_6.addSubnet(address, bits, 'ipv6');
}

/** Whether an IP address is one out in the Internet, and none of this machine or its network. */
export function isOuterAddress(address: string): boolean {
  if (isIPv4(address)) return !INNER_4.check(address, 'ipv4');
  return GIVEN_OUT_6.check(address, 'ipv6') && !SET_ASIDE_6.check(address, 'ipv6');
}

/** What is wrong with an endpoint by its form, in words that begin with its name; or `null`. */
export function endpointProblem(endpoint: string, { isLocalAllowed }: { isLocalAllowed: boolean }): string | null {
  const url = URL.parse(endpoint);
  const schemes = isLocalAllowed ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) return 'endpoint must be the https address that the browser was given';
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'endpoint must have no user, no password and no part behind a #';
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIPv4(host) || host.includes(':');
  const isInner = isAddress ? !isOuterAddress(host) : /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/.test(host);
  return isInner && !isLocalAllowed ? 'endpoint must be out in the Internet' : null;
}
