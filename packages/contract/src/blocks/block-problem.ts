/** Why a value is rejected: the path inside the value (`''` is the value itself) and the problem at that path. */
export interface Problem {
  path: string;
  problem: string;
}

/** Running counts across all blocks of a message while they are checked. */
export interface Tally {
  nestedItems: number;
}

const MAX_KEY_CHARACTERS = 40;

/** Characters that JSON does not escape but a message must not contain: C1 controls and bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a property as part of a path: `.level`, or `["my key"]` if it is not an identifier. */
export function propertyPath(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS && /^[A-Za-z_$][\w$]*$/.test(key)) return `.${key}`;
  const excerpt = key.length > MAX_KEY_CHARACTERS ? `${key.slice(0, MAX_KEY_CHARACTERS)}…` : key;
  return `[${JSON.stringify(excerpt).replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}]`;
}

/** Returns the same problem with its path relative to the object or array that contains the value. */
export function problemAt(path: string, issue: Problem): Problem {
  return { path: path + issue.path, problem: issue.problem };
}

/** Returns why a string cannot be stored and sent as UTF-8, or null. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character (U+0000); remove it';
  if (!text.isWellFormed())
    return 'contains a lone surrogate, which is not a valid character; send well-formed Unicode';
  return null;
}

/** Returns the problem with the name of a property, or null. Its path is the path of the object with the property. */
export function keyProblem(key: string): Problem | null {
  const problem = textProblem(key);
  return problem === null ? null : { path: '', problem: `has a property whose name ${problem}` };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
