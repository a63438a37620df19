import { UNSPACED } from './markdown/shortcodes.ts';

/** The maximum number of `@` signs read per text. */
const MAX_SIGNS = 1_000;

interface Named {
  id: string;
  name: string;
}

/** The names that mention several members in a message of a member: all of its Hub, and those with a page open. */
export const GROUPS: readonly Named[] = [
  { id: '@hub', name: 'hub' },
  { id: '@here', name: 'here' },
];

/** A mention in a text: its range, from the `@` to the end of the name, and the users with that name. */
interface FoundName {
  start: number;
  end: number;
  userIds: readonly string[];
}

/** A part of a word whose script separates words with spaces. */
const WORD = String.raw`[[\p{L}\p{N}\p{M}]--${UNSPACED}]`;

/**
 * Matches the `@` of a mention, which may be full-width: not within a word, an address or a link (`ada@example.org`,
 * `https://example.org/@ada`). Markdown asterisks and underscores may precede it, and scripts without spaces.
 */
export const MENTION_SIGN = String.raw`(?<![${WORD}.%+\/@＠=\&#\-]|${WORD}_+)[@＠]`;
const SIGNS = new RegExp(MENTION_SIGN, 'gv');

/** A name must end where its word ends: `@Adam`, `@Ada-Maria` and `@ada@example.org` do not mention Ada. */
const WORD_CONTINUES = new RegExp(String.raw`(?:[_\-]*${WORD}|[@＠])`, 'vy');
/** Without spaces, more text may follow the name, but not a mark on its last letter or a domain. */
const UNSPACED_CONTINUES = /(?:\p{M}|@(?:[a-z0-9\-]+\.)+[a-z])/ivy;
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'v');

/** Whether the text may mention anyone. Most texts do not. */
export function hasMentionSign(text: string): boolean {
  return text.includes('@') || text.includes('＠');
}

/**
 * Returns a function that finds where a text in Unicode form NFC mentions these users: `@` and a full name or the first
 * word of names, ignoring case. The longest name that the text begins with counts. What several users match mentions all
 * of them: otherwise, a user could take over the mentions of another by a name.
 */
export function nameFinder(users: readonly Named[]): (text: string) => FoundName[] {
  const names = namesOf(users);
  const maxLength = Math.max(0, ...[...names.values()].flat().map(({ name }) => name.length));
  return (text) => {
    if (maxLength === 0 || !hasMentionSign(text)) return [];
    const matches: FoundName[] = [];
    for (const { index: start } of text.matchAll(SIGNS).take(MAX_SIGNS)) {
      const { caseless, ends } = caselessFrom(text, start + 1, maxLength);
      for (const { name, userIds } of names.get(caseless.charAt(0)) ?? []) {
        const end = caseless.startsWith(name) ? ends[name.length - 1] : undefined;
        if (end === undefined || continues(text, end)) continue;
        matches.push({ start, end, userIds });
        break;
      }
    }
    return matches;
  };
}

interface Name {
  /** As `caselessFrom` returns it. */
  name: string;
  userIds: string[];
}

/** Groups all names that may follow an `@` by their first character, longest first. */
function namesOf(users: readonly Named[]): ReadonlyMap<string, Name[]> {
  const ids = new Map<string, Set<string>>();
  for (const { id, name } of users) {
    const text = name.normalize('NFC').trim();
    const { caseless } = caselessFrom(text, 0, text.length * 3);
    for (const each of [caseless, caseless.split(' ', 1)[0] ?? '']) ids.set(each, (ids.get(each) ?? new Set()).add(id));
  }
  const all = [...ids].map(([name, userIds]): Name => ({ name, userIds: [...userIds] }));
  return Map.groupBy(
    all.filter(({ name }) => name !== '').sort((one, other) => other.name.length - one.name.length),
    ({ name }) => name.charAt(0),
  );
}

/**
 * Returns at least `length` characters of the text from `start` in one case and with single spaces, and where each of
 * them ends in the text.
 */
function caselessFrom(text: string, start: number, length: number): { caseless: string; ends: number[] } {
  let caseless = '';
  const ends: number[] = [];
  for (let at = start; caseless.length < length && at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    // Letters are lowered one by one, since the lower case of a sigma depends on its position.
    const plain = /\s/.test(character) ? ' ' : character.toLowerCase().replace('ς', 'σ');
    if (plain === ' ' && caseless.endsWith(' ')) {
      ends[ends.length - 1] = at;
      continue;
    }
    caseless += plain;
    while (ends.length < caseless.length) ends.push(at);
  }
  return { caseless, ends };
}

function continues(text: string, end: number): boolean {
  const pattern = ENDS_UNSPACED.test(text.slice(end - 2, end)) ? UNSPACED_CONTINUES : WORD_CONTINUES;
  pattern.lastIndex = end;
  return pattern.test(text);
}
