/**
 * Makes src/workspace/users/common-passwords.bin from a module whose default export is an array of passwords:
 * `bun apps/api/make-common-passwords.ts …/@zxcvbn-ts/language-common/dist/passwords.json.mjs`.
 *
 * The current file comes from @zxcvbn-ts/language-common 4.1.3 (MIT license, Copyright (c) 2012-2016 Dan Wheeler and
 * Dropbox, Inc., 2021 @zxcvbn-ts), which lists the 49,233 most common passwords in published leaks. Passwords shorter
 * than the minimum length are left out.
 */
import { resolve } from 'node:path';
import { LIMITS } from '@hub/contract';
import { ENTRY_BYTES, passwordEntry } from './src/workspace/users/guessable-passwords.ts';

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Name the module with the list');
const { default: passwords } = (await import(resolve(source))) as { default: readonly (string | number)[] };
const long = passwords.map(String).filter((password) => [...password].length >= LIMITS.passwordMinCodePoints);
const entries = [...new Set(long.map(passwordEntry))].sort((a, b) => a - b);
const file = Buffer.alloc(entries.length * ENTRY_BYTES);
for (const [index, entry] of entries.entries()) file.writeUIntBE(entry, index * ENTRY_BYTES, ENTRY_BYTES);
await Bun.write(resolve(import.meta.dir, 'src/workspace/users/common-passwords.bin'), file);
console.log(`${entries.length} passwords, ${file.length} bytes`);
