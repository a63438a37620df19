import { createECDH } from 'node:crypto';
import type { Random } from '../platform/ports.ts';
import type { PushIdentity } from '../storage/notifications.ts';

const CURVE = 'prime256v1';

/** Generates a P-256 key pair. Retries if a random value is not a valid scalar (less than 1 in 2³²). */
export function generateKeyPair(random: Random): PushIdentity {
  for (;;) {
    const pair = createECDH(CURVE);
    const privateKey = random.bytes(32);
    try {
      pair.setPrivateKey(privateKey);
      return { privateKey, publicKey: pair.getPublicKey() };
    } catch {
      // Zero, or not below the order of the curve.
    }
  }
}

/** Returns whether these bytes are a valid public key of a browser: an uncompressed point on the P-256 curve. */
export function isPublicKey(point: Uint8Array): boolean {
  if (point.length !== 65 || point[0] !== 4) return false;
  try {
    const probe = createECDH(CURVE);
    probe.setPrivateKey(Buffer.alloc(32, 1));
    probe.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}
