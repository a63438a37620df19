/** Returns the parameters of `path`, or null if it does not match. `/hubs/:hubId` matches `/hubs/hub_1`. */
export function match<Pattern extends string>(pattern: Pattern, path: string): Params<Pattern> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [n, part] of wanted.entries()) {
    const text = given[n] ?? '';
    if (!part.startsWith(':')) {
      if (part !== text) return null;
    } else {
      const decoded = decode(text);
      if (decoded === '') return null;
      params[part.slice(1)] = decoded;
    }
  }
  return params as Params<Pattern>;
}

type Params<Pattern extends string> = { [Name in NamesIn<Pattern>]: string };
type NamesIn<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? Name
    : never;

/** Decodes a path part. An invalid encoding becomes an empty string, which matches nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
