import { createCipheriv, createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import type { Random } from '../core/ports.ts';
import type { PushIdentity } from '../storage/notification-store.ts';

/** RFC 8292, section 2, allows 24 hours; half of that leaves room for clocks that differ. */
const TOKEN_SECONDS = 12 * 60 * 60;
/** A token is renewed well before it expires. */
const USE_SECONDS = TOKEN_SECONDS / 2;

/** Generates a P-256 key pair. Retries if a random value is not a valid scalar (less than 1 in 2³²). */
export function generateKeyPair(random: Random): PushIdentity {
  for (;;) {
    const pair = createECDH('prime256v1');
    const privateKey = random.bytes(32);
    try {
      pair.setPrivateKey(privateKey);
      return { privateKey, publicKey: pair.getPublicKey() };
    } catch {
      // Zero, or not below the order of the curve.
    }
  }
}

/** Proves to push services that requests come from the server that the browser subscribed with (VAPID, RFC 8292). */
export class PushSigner {
  readonly #key: KeyObject;
  readonly #publicKey: string;
  readonly #tokens = new Map<string, { token: string; until: number }>();

  constructor({ publicKey, privateKey }: PushIdentity) {
    const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
    const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)];
    const jwk = { kty: 'EC', crv: 'P-256', x: part(x), y: part(y), d: part(privateKey) };
    this.#key = createPrivateKey({ key: jwk, format: 'jwk' });
    this.#publicKey = part(publicKey);
  }

  /**
   * Returns the `Authorization` header for this push service. `contact` is an https or mailto URL at which the service
   * reaches the operator of the server. `now` is in milliseconds since 1970.
   */
  authorization(endpoint: string, contact: string, now: number): string {
    const { origin } = new URL(endpoint);
    const name = `${origin} ${contact}`;
    const known = this.#tokens.get(name);
    const seconds = Math.floor(now / 1_000);
    const isGood = known && seconds < known.until && seconds > known.until - 2 * USE_SECONDS;
    const token = isGood ? known.token : this.#token({ aud: origin, exp: seconds + TOKEN_SECONDS, sub: contact });
    // A few services serve all browsers; only an attack would make this map grow.
    if (this.#tokens.size > 100) this.#tokens.clear();
    if (!isGood) this.#tokens.set(name, { token, until: seconds + USE_SECONDS });
    return `vapid t=${token}, k=${this.#publicKey}`;
  }

  /** Returns a JSON Web Token (RFC 7519) signed with ES256 (RFC 7518, section 3.4). */
  #token(claims: { aud: string; exp: number; sub: string }): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}

const CURVE = 'prime256v1';
/** The message must fit into one record: RFC 8291, section 4, allows only one. */
const RECORD_BYTES = 4_096;
const LAST_RECORD = 2;

interface PushRecipient {
  /** An uncompressed point of P-256: 65 bytes. */
  p256dh: Uint8Array;
  /** 16 bytes. */
  auth: Uint8Array;
}

/** Random values, new for every message. */
interface PushSecrets {
  /** A scalar of P-256: 32 bytes. */
  privateKey: Uint8Array;
  /** 16 bytes. */
  salt: Uint8Array;
}

/**
 * Encrypts a message so that only the browser can read it: RFC 8291 (keys) and RFC 8188 (`aes128gcm`, a single record).
 * Returns the body of a request to the push service.
 * @throws Error if the key of the recipient or the private key is not a valid P-256 key.
 */
export function encryptPush(text: string, { p256dh, auth }: PushRecipient, { privateKey, salt }: PushSecrets): Buffer {
  const sender = createECDH(CURVE);
  sender.setPrivateKey(privateKey);
  const ownPublic = sender.getPublicKey();
  const shared = sender.computeSecret(p256dh);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownPublic]);
  const material = hkdf(shared, auth, keyInfo, 32);
  const contentKey = hkdf(material, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(material, salt, 'Content-Encoding: nonce\0', 12);

  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const sealed = Buffer.concat([
    cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(LAST_RECORD)])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(ownPublic.length, 4);
  return Buffer.concat([salt, header, ownPublic, sealed]);
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

function hkdf(material: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, info, length));
}
