/**
 * Returns the Hubs whose names contain the query: first names that begin with it, then names with a word that does,
 * then the others.
 */
export function hubsNamed<T extends { name: string }>(typed: string, hubs: readonly T[]): T[] {
  const wanted = plain(typed.trim());
  const ranked = hubs.map((hub) => ({ hub, rank: rankOf(plain(hub.name), wanted) }));
  return ranked
    .filter(({ rank }) => rank >= 0)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ hub }) => hub);
}

function rankOf(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0;
  if (name.includes(` ${wanted}`)) return 1;
  return name.includes(wanted) ? 2 : -1;
}

/** Removes case and accents. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
