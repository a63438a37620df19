import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of SHA-256 kept of each password. One in 15 billion other passwords is refused by mistake. */
export const ENTRY_BYTES = 6;

/** Sorted, so that a binary search needs no other structure: 105 KiB for 17,950 passwords. */
let entries: Buffer | undefined;

/** The longest part that is taken for a repetition when a password consists of nothing else. */
const MAX_REPEATED = 4;
const SIGNS_AROUND = /^[!-/:-@[-`{-~]+|[!-/:-@[-`{-~]+$/g;

/**
 * Whether a password is in the offline list of common ones, in any case and also between signs, or only repeats or counts
 * on characters, which the list leaves out (NIST SP 800-63B, section 3.1.1.2).
 */
export function isCommonPassword(password: string): boolean {
  const text = plainForm(password);
  return [text, text.replace(SIGNS_AROUND, '')].some(isListed) || isRepeated(text) || isCounted(text);
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
function isCounted(text: string): boolean {
  if (!/^(?:[a-z]{8,}|\d{8,})$/.test(text)) return false;
  const codes = [...text].map((character) => character.charCodeAt(0));
  const around = /\d/.test(text) ? 10 : 26;
  const steps = new Set(codes.slice(1).map((code, index) => (code - (codes[index] ?? 0) + around) % around));
  return steps.size === 1 && (steps.has(1) || steps.has(around - 1));
}

function isListed(password: string): boolean {
  entries ??= readFileSync(join(import.meta.dir, 'common-passwords.bin'));
  const entry = passwordEntry(password);
  let [from, to] = [0, entries.length / ENTRY_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (entries.readUIntBE(middle * ENTRY_BYTES, ENTRY_BYTES) < entry) from = middle + 1;
    else to = middle;
  }
  return from < entries.length / ENTRY_BYTES && entries.readUIntBE(from * ENTRY_BYTES, ENTRY_BYTES) === entry;
}

/** The number by which `make-common-passwords.ts` lists a password. */
export function passwordEntry(password: string): number {
  const digest = new Bun.CryptoHasher('sha256').update(plainForm(password)).digest();
  return digest.readUIntBE(0, ENTRY_BYTES);
}

function plainForm(password: string): string {
  return password.normalize('NFKC').trim().toLowerCase();
}
