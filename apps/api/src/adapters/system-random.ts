import type { Random } from '../ports.ts';

/** The operating system's generator, as Web Crypto offers it; it gives at most 65,536 bytes at a time. */
export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};
