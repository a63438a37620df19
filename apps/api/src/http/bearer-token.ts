/**
 * Returns the token of an `Authorization: Bearer …` header (RFC 6750, section 2.1), or `null`. The scheme is
 * case-insensitive (RFC 9110, section 11.1). Tokens in URLs are ignored, because URLs end up in logs.
 */
export function bearerToken(headers: Headers): string | null {
  const value = headers.get('authorization');
  if (value === null || !/^bearer /i.test(value)) return null;
  return value.slice('bearer '.length).trim() || null;
}
