import type { Random } from '../core/ports.ts';

/** The operating system's random number generator, through Web Crypto; at most 65,536 bytes per call. */
export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};
