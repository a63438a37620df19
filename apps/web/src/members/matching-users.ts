interface Named {
  id: string;
  name: string;
}

/** Those of whom each word begins a part of the name, whatever the case and the accents; oneself first. */
export function matchingMembers<User extends Named>(
  users: readonly User[],
  words: string,
  myId: string,
): readonly User[] {
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  const found = users.filter(({ name }) => {
    const parts = plain(name).split(/[\s-]+/);
    return wanted.every((word) => parts.some((part) => part.startsWith(word)));
  });
  return [...found.filter(({ id }) => id === myId), ...found.filter(({ id }) => id !== myId)];
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}
