import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
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
  readonly #contact: () => string;
  readonly #tokens = new Map<string, { token: string; until: number }>();

  /** `contact` returns an https or mailto URL at which the push service reaches the operator of the server. */
  constructor({ publicKey, privateKey }: PushIdentity, contact: () => string) {
    const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
    const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)];
    const jwk = { kty: 'EC', crv: 'P-256', x: part(x), y: part(y), d: part(privateKey) };
    this.#key = createPrivateKey({ key: jwk, format: 'jwk' });
    this.#publicKey = part(publicKey);
    this.#contact = contact;
  }

  /** Returns the `Authorization` header for this push service. `now` is in milliseconds since 1970. */
  authorization(endpoint: string, now: number): string {
    const { origin } = new URL(endpoint);
    const known = this.#tokens.get(origin);
    const seconds = Math.floor(now / 1_000);
    const isGood = known && seconds < known.until && seconds > known.until - 2 * USE_SECONDS;
    const token = isGood ? known.token : this.#token(origin, seconds + TOKEN_SECONDS);
    // A few services serve all browsers; only an attack would make this map grow.
    if (this.#tokens.size > 100) this.#tokens.clear();
    if (!isGood) this.#tokens.set(origin, { token, until: seconds + USE_SECONDS });
    return `vapid t=${token}, k=${this.#publicKey}`;
  }

  /** Returns a JSON Web Token (RFC 7519) signed with ES256 (RFC 7518, section 3.4). */
  #token(aud: string, exp: number): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud, exp, sub: this.#contact() })}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}
