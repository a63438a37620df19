const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares names with numbers in numeric order: bulk-2 before bulk-10. */
export function naturalOrder(one: string, other: string): number {
  return collator.compare(one, other);
}

export function byName(one: { name: string }, other: { name: string }): number {
  return naturalOrder(one.name, other.name);
}

/** Returns a name as it is searched: without case and accents. */
export function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}
