import { BlockList, isIP } from 'node:net';
import type { AddressRange } from '../platform/config-schemas.ts';

/** Whether the `X-Forwarded-…` headers from this address are trusted. */
export type IsTrustedProxy = (address: string) => boolean;

export function trustedProxies(ranges: readonly AddressRange[]): IsTrustedProxy {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, prefixBits, family } of ranges) list.addSubnet(address, prefixBits, family);
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns the client's address: `X-Forwarded-For` is read from the right, while the hops are trusted proxies, since
 * entries further left can be forged. If an entry is no address, the direct peer is returned.
 */
export function clientAddress(peer: string, forwardedFor: string | null, isTrusted: IsTrustedProxy): string {
  const direct = canonicalAddress(peer) ?? peer;
  if (forwardedFor === null || !isTrusted(direct)) return direct;
  let address = direct;
  for (const entry of forwardedFor.split(',').reverse()) {
    const hop = canonicalAddress(withoutPort(entry.trim()));
    if (hop === null) return direct;
    address = hop;
    if (!isTrusted(hop)) break;
  }
  return address;
}

/** Removes the port that some proxies add: `192.0.2.7:51234` or `[2001:db8::7]:51234`. */
function withoutPort(entry: string): string {
  const match = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
}

/** Returns an address in canonical spelling (RFC 5952), without a zone, one mapped into IPv6 as IPv4, or null. */
export function canonicalAddress(text: string): string | null {
  const cached = recent.get(text);
  if (cached !== undefined) return cached;
  const address = canonicalSpelling(text);
  // A header can hold anything.
  if (text.length > MAX_RECENT_CHARACTERS) return address;
  if (recent.size >= MAX_RECENT) recent.clear();
  recent.set(text, address);
  return address;
}

/** Most requests come from a few addresses, which need not be parsed each time. */
const recent = new Map<string, string | null>();
const MAX_RECENT = 1_000;
const MAX_RECENT_CHARACTERS = 64;

function canonicalSpelling(text: string): string | null {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0) return null;
  const dotted = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : '';
  if (isIP(dotted) === 4) return dotted;
  const url = URL.parse(`http://[${text.split('%')[0]}]`);
  if (!url) return null;
  const address = url.hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (!mapped) return address;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
