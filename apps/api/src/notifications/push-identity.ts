import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Random } from '../ports.ts';
import type { PushIdentity } from '../store/notification-store.ts';

/** RFC 8292, section 2, allows 24 hours; half of it leaves room for clocks that differ. */
const TOKEN_SECONDS = 12 * 60 * 60;
/** A token is made again well before it ends. */
const USE_SECONDS = TOKEN_SECONDS / 2;

/** A scalar of P-256 and the point that belongs to it. Of 2³² draws less than one is no scalar: then it is drawn again. */
export function drawKeyPair(random: Random): PushIdentity {
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

/** Shows push services that the requests come from the server that the browser has subscribed with (VAPID, RFC 8292). */
export class PushSigner {
  readonly #key: KeyObject;
  readonly #publicKey: string;
  readonly #contact: () => string;
  readonly #tokens = new Map<string, { token: string; until: number }>();

  /** `contact`: an https or mailto address at which the push service reaches whoever runs the server. */
  constructor({ publicKey, privateKey }: PushIdentity, contact: () => string) {
    const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
    const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)];
    const jwk = { kty: 'EC', crv: 'P-256', x: part(x), y: part(y), d: part(privateKey) };
    this.#key = createPrivateKey({ key: jwk, format: 'jwk' });
    this.#publicKey = part(publicKey);
    this.#contact = contact;
  }

  /** The `Authorization` of a request to this push service. `now` in milliseconds since 1970. */
  authorization(endpoint: string, now: number): string {
    const { origin } = new URL(endpoint);
    const known = this.#tokens.get(origin);
    const seconds = Math.floor(now / 1_000);
    const isGood = known && seconds < known.until && seconds > known.until - 2 * USE_SECONDS;
    const token = isGood ? known.token : this.#token(origin, seconds + TOKEN_SECONDS);
    // Few services serve all browsers; a list that grew without end would be somebody's doing.
    if (this.#tokens.size > 100) this.#tokens.clear();
    if (!isGood) this.#tokens.set(origin, { token, until: seconds + USE_SECONDS });
    return `vapid t=${token}, k=${this.#publicKey}`;
  }

  /** A JSON Web Token (RFC 7519) signed with ES256 (RFC 7518, section 3.4). */
  #token(aud: string, exp: number): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud, exp, sub: this.#contact() })}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}
