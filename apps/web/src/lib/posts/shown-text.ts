import { GROUPS, nameFinder } from '@hub/contract/find-names';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { normalizeText } from '@hub/contract/normalize-text';

/**
 * Thirty combining marks on one letter are enough for every language: Unicode's stream-safe format has no more
 * (UAX #15, section 13). Browsers take seconds to lay out thousands of them.
 */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Returns text that is safe to show: it neither reorders the text around it nor slows down the layout. */
export function shownText(text: string): string {
  return closeBidi(withoutEscapes(text).replace(EXCESS_MARKS, '$1…'));
}

const CONTROL = /[\u202a-\u202e\u2066-\u2069]/g;
const CLOSE_EMBEDDING = '\u202c';
const FIRST_STRONG_ISOLATE = '\u2068';
const CLOSE_ISOLATE = '\u2069';
const CLOSE_BOTH = CLOSE_EMBEDDING + CLOSE_ISOLATE;

/**
 * Returns the text with every bidirectional control closed (Unicode UAX #9, explicit formatting), and with each
 * embedding and override in its own isolate, so that it reorders neither the following text nor adjacent digits and
 * punctuation.
 */
export function closeBidi(text: string): string {
  /** The closing sequences of the open controls, outermost first. */
  const open: string[] = [];
  const closed = text.replaceAll(CONTROL, (control) => {
    if (control === CLOSE_ISOLATE) {
      const isolate = open.lastIndexOf(CLOSE_ISOLATE);
      // A stray control would close an unrelated isolate.
      if (isolate === -1) return open.length === 0 ? control : '';
      return open.splice(isolate).reverse().join('');
    }
    if (control === CLOSE_EMBEDDING) return open.at(-1) === CLOSE_BOTH ? (open.pop() ?? '') : control;
    const isIsolate = control >= '\u2066';
    open.push(isIsolate ? CLOSE_ISOLATE : CLOSE_BOTH);
    return isIsolate ? control : FIRST_STRONG_ISOLATE + control;
  });
  return closed + open.reverse().join('');
}

interface Named {
  id: string;
  name: string;
}

interface NamePiece {
  text: string;
  userIds?: readonly string[];
}

export type NameDivider = (text: string) => NamePiece[];

/**
 * Returns a function that divides a text at the names of the users whom the server lists as mentioned; null if there are
 * none. `hasGroups`: also at `@hub` and `@here`, by which they may be mentioned.
 */
export function nameDivider(
  mentions: readonly string[],
  members: readonly Named[],
  hasGroups = false,
): NameDivider | null {
  const mentioned = members.filter(({ id }) => mentions.includes(id));
  if (mentioned.length === 0) return null;
  const find = nameFinder(hasGroups ? [...mentioned, ...GROUPS] : mentioned);
  return (written) => {
    const text = normalizeText(written, 'NFC');
    const pieces: NamePiece[] = [];
    let from = 0;
    for (const { start, end, userIds } of find(text)) {
      if (start > from) pieces.push({ text: text.slice(from, start) });
      // A group mentions all whom the server lists.
      const isGroup = userIds.some((id) => id.startsWith('@'));
      pieces.push({ text: text.slice(start, end), userIds: isGroup ? mentions : userIds });
      from = end;
    }
    if (from < text.length) pieces.push({ text: text.slice(from) });
    return pieces;
  };
}
