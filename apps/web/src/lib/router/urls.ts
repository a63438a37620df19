import { LINK_PATHS, type LinkKind } from '@hub/contract/link-paths';

const KINDS = Object.keys(LINK_PATHS) as LinkKind[];

/** Returns the kind of one-time link whose page has this path, if any. These pages need no session. */
export function linkKindOf(path: string): LinkKind | undefined {
  return KINDS.find((kind) => LINK_PATHS[kind] === path.replace(/\/$/, ''));
}

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
