/** Returns the IPv4 address, or the /64 of an IPv6 address: one customer usually has a whole /64 (RFC 6177). */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  // IPv4 addresses mapped into IPv6 (RFC 4291, section 2.5.5.2) all share one /64, so each counts separately.
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
