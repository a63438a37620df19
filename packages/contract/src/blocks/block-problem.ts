/** Why a value was refused: the place inside the value (`''` is the value itself), and what is wrong there. */
export interface Problem {
  place: string;
  problem: string;
}

/** What is counted over all blocks of a message while they are checked. */
export interface Tally {
  nestedItems: number;
}

const MAX_KEY_CHARACTERS = 40;

/** What JSON leaves as it is though a message or a terminal should not: C1 controls, and marks that turn text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** How a property is written in a place: `.level`, or `["my key"]` for what is no plain word. */
export function propertyPlace(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS && /^[A-Za-z_$][\w$]*$/.test(key)) return `.${key}`;
  const shown = key.length > MAX_KEY_CHARACTERS ? `${key.slice(0, MAX_KEY_CHARACTERS)}…` : key;
  return `[${JSON.stringify(shown).replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}]`;
}

/** The same fault, seen from the object or array that holds the value. */
export function problemAt(place: string, issue: Problem): Problem {
  return { place: place + issue.place, problem: issue.problem };
}

/** What keeps a text from being stored and sent as UTF-8, or null. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character (U+0000); remove it';
  if (!text.isWellFormed()) return 'holds half of a surrogate pair, which is no character; send well-formed Unicode';
  return null;
}

/** A fault in the name of a property. It is told at the object that has the property. */
export function keyProblem(key: string): Problem | null {
  const problem = textProblem(key);
  return problem === null ? null : { place: '', problem: `has a property whose name ${problem}` };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
