import { normalizeText } from '@hub/contract/normalize-text';

interface Named {
  id: string;
  name: string;
}

interface NamePiece {
  text: string;
  /** The mentioned user, if the piece is a name. */
  personId?: string;
}

/** Divides text into mentioned names and the text between them. */
export type NameFinder = (text: string) => NamePiece[];

/**
 * Returns a function that finds where a text mentions the users whom the server lists as mentioned: `@` and the full
 * name, or the first word of the name if no other member shares it, ignoring case. Returns null if there are none.
 */
export function nameFinder(mentions: readonly string[], members: readonly Named[]): NameFinder | null {
  const mentioned = new Set(mentions);
  const idOf = new Map<string, string>();
  for (const { id, name } of members) if (mentioned.has(id)) idOf.set(normalizeName(name), id);
  for (const { id, name } of members) {
    const first = firstWord(name);
    const isOnly = members.every((other) => other.id === id || firstWord(other.name) !== first);
    if (mentioned.has(id) && isOnly && !idOf.has(first)) idOf.set(first, id);
  }
  idOf.delete('');
  if (idOf.size === 0) return null;
  const names = [...idOf.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`${BEFORE}@(?:${names.map(asPattern).join('|')})${BEHIND}`, 'giu');
  return (text) => divide(normalizeText(text, 'NFC'), pattern, idOf);
}

/** The same rules as on the server: not within a word, an address or a link, and the name ends at the end of a word. */
const BEFORE = '(?<![\\p{L}\\p{N}\\p{M}.%+/@=&#-]|[\\p{L}\\p{N}\\p{M}]_+)';
const BEHIND = '(?![_-]*[\\p{L}\\p{N}\\p{M}]|@)';

function divide(text: string, pattern: RegExp, idOf: ReadonlyMap<string, string>): NamePiece[] {
  const pieces: NamePiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const personId = idOf.get(normalizeName(found.slice(1)));
    if (personId === undefined) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: found, personId });
    end = index + found.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function asPattern(name: string): string {
  return name.split(' ').map(RegExp.escape).join('\\s+');
}

function firstWord(name: string): string {
  return normalizeName(name).split(' ', 1)[0] ?? '';
}

function normalizeName(text: string): string {
  return normalizeText(text, 'NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}
