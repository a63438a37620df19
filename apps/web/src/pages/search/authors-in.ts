import type { Item } from '@hub/contract';

interface Author {
  id: string;
  name: string;
}

/** Returns the user, then the authors of the results sorted by name. The chosen author is always included. */
export function authorsIn(
  items: readonly Pick<Item, 'author'>[],
  { me, chosenId }: { me: Author; chosenId: string | null },
): Author[] {
  const found = new Map<string, Author>();
  if (chosenId !== null && chosenId !== me.id) found.set(chosenId, { id: chosenId, name: 'Unknown member' });
  for (const { author } of items) if (author.id !== me.id) found.set(author.id, { id: author.id, name: author.name });
  const others = [...found.values()].sort((one, other) => one.name.localeCompare(other.name));
  return [{ id: me.id, name: 'Me' }, ...others];
}
