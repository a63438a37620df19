import { BASE62, buildToken, RANDOM_CHARACTERS } from '@hub/contract';
import type { Random } from '../platform/ports.ts';

/** The largest multiple of 62 that fits in a byte. Higher bytes are discarded, so each character is equally likely. */
const FAIR_BYTES = 248;

/** Returns a new secret in the format of `contract/key-token.ts`. */
export function generateToken(prefix: string, random: Random): string {
  let characters = '';
  while (characters.length < RANDOM_CHARACTERS) {
    for (const byte of random.bytes(RANDOM_CHARACTERS)) {
      if (byte < FAIR_BYTES && characters.length < RANDOM_CHARACTERS) characters += BASE62.charAt(byte % 62);
    }
  }
  return buildToken(prefix, characters);
}

/** Returns the SHA-256 of a token, 32 bytes. For 202 random bits it is enough, and a look-up by it reveals no guess. */
export function hashToken(token: string): Buffer {
  return Bun.CryptoHasher.hash('sha256', token);
}
