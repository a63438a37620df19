import type { Item } from '@hub/contract';

type Key = NonNullable<Item['key']>;

/** The keys that have posted what is loaded, by name; the chosen one also if nothing of it is. */
export function keysIn(items: readonly Pick<Item, 'key'>[], chosenId: string | null): Key[] {
  const found = new Map<string, Key>();
  if (chosenId !== null) found.set(chosenId, { id: chosenId, name: 'One key' });
  for (const { key } of items) if (key) found.set(key.id, key);
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name));
}
