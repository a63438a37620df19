/**
 * Returns the form of a name in which two names are the same: in Unicode's compatibility form (NFKC), without surrounding
 * and repeated white space, and without letter case. Case is ignored fully, one character at a time: the lower case of a
 * sigma depends on what stands beside it.
 */
export function normalizeName(name: string): string {
  const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ');
  return Array.from(plain, (character) => character.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFKC');
}
