/** One customer usually has a whole /64 of IPv6 addresses (RFC 6177), so that is what counts as one address. */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  // An IPv4 address mapped into IPv6 (RFC 4291, section 2.5.5.2) is one address, and all of those are one /64.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const tailGroups = tail.split(':').filter(Boolean);
    while (groups.length + tailGroups.length < 8) groups.push('0');
    groups.push(...tailGroups);
  }
  return groups.slice(0, 4).join(':');
}
