import { nameFinder } from '@hub/contract/find-names';
import { normalizeText } from '@hub/contract/normalize-text';

interface Named {
  id: string;
  name: string;
}

interface NamePiece {
  text: string;
  /** The mentioned users, if the piece is a name. */
  userIds?: readonly string[];
}

/** Divides text into mentioned names and the text between them. */
export type NameDivider = (text: string) => NamePiece[];

/**
 * Returns a function that divides a text at the names of the users whom the server lists as mentioned; null if there are
 * none.
 */
export function nameDivider(mentions: readonly string[], members: readonly Named[]): NameDivider | null {
  const mentioned = members.filter(({ id }) => mentions.includes(id));
  if (mentioned.length === 0) return null;
  const find = nameFinder(mentioned);
  return (written) => {
    const text = normalizeText(written, 'NFC');
    const pieces: NamePiece[] = [];
    let from = 0;
    for (const { start, end, userIds } of find(text)) {
      if (start > from) pieces.push({ text: text.slice(from, start) });
      pieces.push({ text: text.slice(start, end), userIds });
      from = end;
    }
    if (from < text.length) pieces.push({ text: text.slice(from) });
    return pieces;
  };
}
