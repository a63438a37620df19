import { readFileSync } from 'node:fs';
import type { Clock, PasswordHasher, Random, SinceBoot } from '../ports.ts';

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  sinceBoot: readSinceBoot,
};

/** Returns null except on Linux, which identifies each boot and counts the time since (random(4), proc_uptime(5)). */
function readSinceBoot(): SinceBoot | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const seconds = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
    return boot !== '' && Number.isFinite(seconds) ? { boot, ms: Math.round(seconds * 1000) } : null;
  } catch {
    return null;
  }
}

/** The operating system's random number generator, through Web Crypto; at most 65,536 bytes per call. */
export const systemRandom: Random = { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };

/** OWASP's minimum (Password Storage Cheat Sheet, argon2id): 19 MiB, two passes. About 30 ms on one core. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** argon2id (RFC 9106) on separate threads. Hashes contain their cost, so old ones still verify after it changes. */
export const argon2id: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, COST),
  verify: (password, hash) => Bun.password.verify(password, hash),
};
