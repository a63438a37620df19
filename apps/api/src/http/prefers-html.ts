/**
 * Returns whether an Accept header (RFC 9110, section 12.5.1) names HTML and does not prefer JSON. A wildcard does not
 * count, because programs send one, while browsers name the type.
 */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false;
  const weights = new Map(accept.split(',').map(weightedRange));
  const html = weights.get('text/html') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return html > 0 && html >= json;
}

/** Parses `text/html;q=0.8` to `['text/html', 0.8]`. An invalid weight is treated as 0 (not accepted). */
function weightedRange(element: string): [range: string, weight: number] {
  const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1';
  return [range, /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 0];
}
