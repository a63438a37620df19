import type { PasswordHasher, Random } from '../ports.ts';

/** The operating system's random number generator, through Web Crypto; at most 65,536 bytes per call. */
export const systemRandom: Random = { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };

/** OWASP's minimum (Password Storage Cheat Sheet, argon2id): 19 MiB, two passes. About 30 ms on one core. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** argon2id (RFC 9106) on separate threads. Hashes contain their cost, so old ones still verify after it changes. */
export const argon2id: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, COST),
  verify: (password, hash) => Bun.password.verify(password, hash),
};
