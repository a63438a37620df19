import { plain } from './names.ts';

/**
 * Returns the users whose names have, for each query word, a part that begins with it, ignoring case and accents. The
 * signed-in user comes first.
 */
export function matchingUsers<User extends { id: string; name: string }>(
  users: readonly User[],
  words: string,
  myId: string,
): readonly User[] {
  const prefixes = plain(words).split(/\s+/).filter(Boolean);
  const matches = users.filter(({ name }) => {
    const parts = plain(name).split(/[\s-]+/);
    return prefixes.every((word) => parts.some((part) => part.startsWith(word)));
  });
  return [...matches.filter(({ id }) => id === myId), ...matches.filter(({ id }) => id !== myId)];
}

/** Returns those whose name contains the text, ignoring case and accents. */
export function withName<T extends { name: string }>(all: readonly T[], text: string): readonly T[] {
  const part = plain(text.trim());
  return all.filter(({ name }) => plain(name).includes(part));
}
