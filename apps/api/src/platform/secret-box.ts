import { createCipheriv, createDecipheriv } from 'node:crypto';
import { StartError } from './errors.ts';
import type { Random } from './ports.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Begins a sealed secret, unlike one that was stored before there was a key. */
const MARK = Buffer.from('Hub\x01', 'latin1');

/** Encrypts with AES-256-GCM (NIST SP 800-38D): nonce, ciphertext, tag. `purpose` is authenticated, not stored. */
export function encrypt(key: Uint8Array, random: Random, secret: Uint8Array, purpose: string): Uint8Array {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** Returns `null` if it was encrypted with another key, for another purpose, or was changed. */
export function decrypt(key: Uint8Array, bytes: Uint8Array, purpose: string): Uint8Array | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/**
 * Encrypts the secrets that the database holds, if the configuration has keys for that (`HUB_SECRETS_KEY`). The first key
 * encrypts; the others only decrypt, while one replaces the other.
 */
export class SecretBox {
  constructor(
    private readonly keys: readonly Uint8Array[],
    private readonly random: Random,
  ) {}

  get hasKey(): boolean {
    return this.keys.length > 0;
  }

  /** Returns a secret as it is stored: encrypted, or unchanged without a key. */
  seal(secret: Uint8Array, purpose: string): Uint8Array {
    const [key] = this.keys;
    return key ? Buffer.concat([MARK, encrypt(key, this.random, secret, purpose)]) : secret;
  }

  /** Throws `StartError` if none of the keys opens it. */
  open(stored: Uint8Array, purpose: string): Uint8Array {
    if (!isSealed(stored)) return stored;
    for (const key of this.keys) {
      const secret = decrypt(key, stored.subarray(MARK.length), purpose);
      if (secret) return secret;
    }
    throw new StartError(
      'Secrets in the database are encrypted with a key that HUB_SECRETS_KEY does not contain. Add that key ' +
        '(docs/operations.md#encrypted-secrets).',
    );
  }

  /** Returns the secret as it is to be stored from now on, or `null` if the first key already encrypts it. */
  renew(stored: Uint8Array, purpose: string): Uint8Array | null {
    const secret = this.open(stored, purpose);
    const [key] = this.keys;
    const isCurrent = !key || (isSealed(stored) && decrypt(key, stored.subarray(MARK.length), purpose) !== null);
    return isCurrent ? null : this.seal(secret, purpose);
  }
}

const isSealed = (stored: Uint8Array): boolean => MARK.equals(stored.subarray(0, MARK.length));
