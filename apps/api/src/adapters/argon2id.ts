import type { PasswordHasher } from '../ports.ts';

/** The least that OWASP recommends (Password Storage Cheat Sheet, argon2id): 19 MiB, two passes. Some 30 ms of one core. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** argon2id (RFC 9106) on threads of its own. A hash names its cost, so that a later change of the cost breaks none. */
export const argon2id: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, COST),
  verify: (password, hash) => Bun.password.verify(password, hash),
};
