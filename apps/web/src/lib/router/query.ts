/** Returns a copy of a query with these parameters. A parameter that is null, undefined or empty is removed. */
export function withParameters(
  query: URLSearchParams,
  values: Readonly<Record<string, string | null | undefined>>,
): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value) changed.set(name, value);
    else changed.delete(name);
  }
  return changed;
}
