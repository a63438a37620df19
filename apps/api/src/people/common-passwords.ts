import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of SHA-256 kept of each password. One in 15 billion other passwords is refused by mistake. */
export const ENTRY_BYTES = 6;

/** Sorted, so that a binary search needs no other structure: 105 KiB for 17,950 passwords. */
let entries: Buffer | undefined;

/** Whether a password is in the offline list of common ones, in any case (NIST SP 800-63B, section 3.1.1.2). */
export function isCommonPassword(password: string): boolean {
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
  const digest = new Bun.CryptoHasher('sha256').update(password.normalize('NFKC').trim().toLowerCase()).digest();
  return digest.readUIntBE(0, ENTRY_BYTES);
}
