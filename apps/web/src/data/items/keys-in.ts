import type { Item } from '@hub/contract';

type Key = NonNullable<Item['key']>;

/** Returns the keys of the loaded posts, plus the selected key even if none of its posts is loaded, sorted by name. */
export function keysIn(items: readonly Pick<Item, 'key'>[], chosenId: string | null): Key[] {
  const found = new Map<string, Key>();
  if (chosenId !== null) found.set(chosenId, { id: chosenId, name: 'Unknown key' });
  for (const { key } of items) if (key) found.set(key.id, key);
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name));
}
