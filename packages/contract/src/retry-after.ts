/**
 * Returns the seconds of `Retry-After`, which is a number or an HTTP date (RFC 9110, section 10.2.3); undefined if the
 * header is missing or neither. A date counts from the `Date` of the response, since the clock here may be wrong.
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Date.parse accepts many other texts.
  const at = /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, Math.ceil((at - now) / 1000));
}
