import { BASE62, RANDOM_CHARACTERS } from '@hub/contract';
import type { Random } from '../../ports.ts';

const MARK = 'ExampleOfTheDocumentationNotReal';

/** Whether a text holds a secret that `exampleRandom` has made, so that anybody can see that it opens nothing. */
export function isExampleSecret(text: string): boolean {
  return text.includes(MARK);
}

/** Gives the same bytes in each run. Secrets that are made from them say of themselves that they are examples. */
export function exampleRandom(): Random {
  let secrets = 0;
  let others = 0;
  return {
    bytes: (count) => {
      if (count === RANDOM_CHARACTERS) {
        secrets += 1;
        return bytesOfCharacters(MARK + String(secrets).padStart(RANDOM_CHARACTERS - MARK.length, '0'));
      }
      others += 1;
      return hashed(`${others}`).subarray(0, count);
    },
  };
}

/** The bytes that `generateToken` makes these characters of. */
function bytesOfCharacters(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => BASE62.indexOf(character));
}

function hashed(text: string): Uint8Array {
  return new Uint8Array(new Bun.CryptoHasher('sha512').update(text).digest().buffer);
}
