import { BASE62, RANDOM_CHARACTERS } from '@hub/contract';
import type { Random } from '../../ports.ts';

const MARK = 'ExampleOfTheDocumentationNotReal';

/** Whether a string contains a secret made by `exampleRandom`, which is recognizable as an example. */
export function isExampleSecret(text: string): boolean {
  return text.includes(MARK);
}

/** Returns the same bytes in each run. Secrets made from them are marked as examples. */
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

/** Returns bytes from which `generateToken` creates these characters. */
function bytesOfCharacters(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => BASE62.indexOf(character));
}

function hashed(text: string): Uint8Array {
  return new Uint8Array(new Bun.CryptoHasher('sha512').update(text).digest().buffer);
}
