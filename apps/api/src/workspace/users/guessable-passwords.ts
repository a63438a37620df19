import { readFileSync } from 'node:fs';
import { programFile } from '../../platform/program-files.ts';

/** Facts about the account that a guesser knows. */
export interface PasswordContext {
  workspaceName: string;
  name: string;
  email: string;
}

/** A password needs this many letters besides the words that a guesser knows. */
const MIN_OTHER_LETTERS = 4;
const MIN_WORD_LETTERS = 3;

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
const SEASONS =
  'spring summer autumn fall winter frühling sommer herbst printemps été automne hiver primavera verano otoño invierno ' +
  'estate autunno inverno verão outono lente zomer herfst';

/** Characters that people write instead of a letter. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  a: '4@',
  b: '8',
  e: '3€',
  g: '9',
  i: '1!|',
  l: '1|',
  o: '0',
  s: '5$',
  t: '7+',
  z: '2',
};

let seasons: readonly string[] | undefined;

/**
 * Returns what a password is based on, for an error message, or null: a season, month or weekday, or a word from the
 * names of the workspace, the user or this product, or the e-mail address (OWASP ASVS 5.0, 6.2.11 and 6.2.12), besides
 * which it has less than four letters, or a common password. Digits and punctuation do not count.
 */
export function guessableBasis(password: string, { workspaceName, name, email }: PasswordContext): string | null {
  const [localPart = '', domain = ''] = email.split('@');
  seasons ??= [...split(SEASONS), ...monthAndDayNames()];
  const sources: [string, readonly string[]][] = [
    ['the name of the workspace', namesOf(workspaceName)],
    ['the name of the user', namesOf(name)],
    // The last label is that of a country or the like.
    ['the e-mail address', [...namesOf(localPart), ...domain.split('.').slice(0, -1).flatMap(namesOf)]],
    ['the name of this product', ['hub']],
    ['a season, month or weekday', seasons],
  ];
  const candidates = sources.flatMap(([basis, words]) => words.map((word) => ({ word, basis })));
  candidates.sort((one, other) => other.word.length - one.word.length);
  let rest = normalized(password);
  let result: string | null = null;
  for (const { word, basis } of candidates) {
    const without = rest.replace(patternOf(word), ' ');
    if (without !== rest) result ??= basis;
    rest = without;
  }
  const hasLittleElse = (rest.match(/\p{L}/gu)?.length ?? 0) < MIN_OTHER_LETTERS || isCommonPassword(rest);
  return hasLittleElse ? result : null;
}

/** Matches a word as people disguise it. A short word must stand alone, since it is part of many others. */
function patternOf(word: string): RegExp {
  const letters = [...word].map((letter) => `[${letter}${SUBSTITUTES[letter] ?? ''}]`).join('');
  return new RegExp([...word].length > MIN_WORD_LETTERS ? letters : `(?<!\\p{L})(?:${letters})+(?!\\p{L})`, 'gu');
}

function namesOf(name: string): string[] {
  const words = split(name);
  return [...words, words.join('')].filter((word) => [...word].length >= MIN_WORD_LETTERS);
}

function split(text: string): string[] {
  return normalized(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Without case, accents and width. */
function normalized(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function monthAndDayNames(): string[] {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2000, month));
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2000, 0, 1 + day));
  return LANGUAGES.flatMap((language) => {
    const names = (options: Intl.DateTimeFormatOptions, times: readonly number[]) => {
      const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
      return times.flatMap((at) => namesOf(format.format(at)));
    };
    return [
      ...names({ month: 'long' }, months),
      ...names({ month: 'short' }, months),
      ...names({ weekday: 'long' }, days),
    ];
  });
}

/** Bytes of SHA-256 stored per password. One in 15 billion other passwords is rejected by mistake. */
export const ENTRY_BYTES = 6;

/** Sorted, so that a binary search needs no other structure: 105 KiB for 17,950 passwords. */
let entries: Buffer | undefined;

/** The longest part, in characters, whose repetition makes a password common. */
const MAX_REPEATED = 4;
const SURROUNDING_PUNCTUATION = /^[!-/:-@[-`{-~]+|[!-/:-@[-`{-~]+$/g;

/** Whether a password is a common one, or only repeated or sequential characters (NIST SP 800-63B, 3.1.1.2). */
export function isCommonPassword(password: string): boolean {
  const text = plainForm(password);
  return [text, text.replace(SURROUNDING_PUNCTUATION, '')].some(isListed) || isRepeated(text) || isSequence(text);
}

/** `aaaaaaaa`, `12341234`, `abcabcab`. */
function isRepeated(text: string): boolean {
  if (!/^[!-~]{8,}$/.test(text)) return false;
  for (let size = 1; size <= MAX_REPEATED; size += 1) {
    if (text.slice(size) === text.slice(0, -size)) return true;
  }
  return false;
}

/** `abcdefgh`, `87654321`, `45678901`: after 9 comes 0. */
function isSequence(text: string): boolean {
  if (!/^(?:[a-z]{8,}|\d{8,})$/.test(text)) return false;
  const codes = [...text].map((character) => character.charCodeAt(0));
  const range = /\d/.test(text) ? 10 : 26;
  const steps = new Set(codes.slice(1).map((code, index) => (code - (codes[index] ?? 0) + range) % range));
  return steps.size === 1 && (steps.has(1) || steps.has(range - 1));
}

function isListed(password: string): boolean {
  entries ??= readFileSync(programFile(import.meta.dir, 'common-passwords.bin'));
  const entry = passwordEntry(password);
  let [from, to] = [0, entries.length / ENTRY_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (entries.readUIntBE(middle * ENTRY_BYTES, ENTRY_BYTES) < entry) from = middle + 1;
    else to = middle;
  }
  return from < entries.length / ENTRY_BYTES && entries.readUIntBE(from * ENTRY_BYTES, ENTRY_BYTES) === entry;
}

/** Returns the number that represents a password in the list, which `make-common-passwords.ts` creates. */
export function passwordEntry(password: string): number {
  const digest = new Bun.CryptoHasher('sha256').update(plainForm(password)).digest();
  return digest.readUIntBE(0, ENTRY_BYTES);
}

function plainForm(password: string): string {
  return password.normalize('NFKC').trim().toLowerCase();
}
