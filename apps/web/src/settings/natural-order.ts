const collator = new Intl.Collator(undefined, { numeric: true });

/** Names as people sort them: bulk-2 before bulk-10. */
export function naturalOrder(one: string, other: string): number {
  return collator.compare(one, other);
}
