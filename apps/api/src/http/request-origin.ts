/** A host with an optional port, as RFC 9112, section 3.2 wants it; stricter on the characters of a name. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(?::(\d{1,5}))?$/;

/** Also false for an address that is none, such as `256.1.1.1`: with it no URL can be made. */
export function isValidHost(host: string): boolean {
  const match = HOST.exec(host);
  return match !== null && (match[1] === undefined || Number(match[1]) <= 65_535) && URL.canParse(`http://${host}`);
}

/**
 * Scheme and host as the client used them. The caller passes the proxy's word on the scheme only if it trusts the
 * proxy; of a list the first entry counts, which the outermost proxy wrote.
 */
export function requestOrigin(scheme: 'http' | 'https', host: string, forwardedProto: string | null): string {
  const named = forwardedProto?.split(',')[0]?.trim().toLowerCase();
  const seen = named === 'http' || named === 'https' ? named : scheme;
  return URL.parse(`${seen}://${host}`)?.origin ?? `${seen}://${host}`;
}
