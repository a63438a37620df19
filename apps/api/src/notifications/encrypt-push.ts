import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';

const CURVE = 'prime256v1';
/** The message must fit into one record: RFC 8291, section 4, allows only one. */
const RECORD_BYTES = 4_096;
const LAST_RECORD = 2;

export interface PushRecipient {
  /** An uncompressed point of P-256: 65 bytes. */
  p256dh: Uint8Array;
  /** 16 bytes. */
  auth: Uint8Array;
}

/** Random values, new for every message. */
export interface PushSecrets {
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
