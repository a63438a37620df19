import { readFileSync } from 'node:fs';
import { programFile } from '../../platform/program-files.ts';

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
