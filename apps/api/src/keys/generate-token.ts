import { BASE62, formToken, RANDOM_CHARACTERS } from '@hub/contract';
import type { Random } from '../ports.ts';

/** The largest multiple of 62 in a byte: bytes from here on are thrown away, so that each character is equally likely. */
const FAIR_BYTES = 248;

/** A new secret of the form in `contract/key-token.ts`. */
export function generateToken(prefix: string, random: Random): string {
  let characters = '';
  while (characters.length < RANDOM_CHARACTERS) {
    for (const byte of random.bytes(RANDOM_CHARACTERS)) {
      if (byte < FAIR_BYTES && characters.length < RANDOM_CHARACTERS) characters += BASE62.charAt(byte % 62);
    }
  }
  return formToken(prefix, characters);
}
