/**
 * The format of every secret that the server issues: a prefix for its kind, 34 random base62 characters, and the CRC-32
 * of everything before it as six base62 characters. With the checksum, a program can reject a mistyped or truncated
 * secret without a request, and secret scanners can recognize a secret.
 */
export const KEY_PREFIX = 'hub_live_';
export const PERSONAL_TOKEN_PREFIX = 'hub_pat_';
/** The prefix in session cookies, which users never need to see. */
export const SESSION_PREFIX = 'hub_ses_';
/** The prefix in setup, invitation and password reset links, each of which works once. */
export const LINK_PREFIX = 'hub_lnk_';
/** The prefix in device codes, with which a program waits for a user to let it in (RFC 8628). */
export const DEVICE_PREFIX = 'hub_dev_';
export const RANDOM_CHARACTERS = 34;
const CHECKSUM_CHARACTERS = 6;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Computes the CRC-32 of ASCII text as defined by ISO 3309 and gzip (RFC 1952, section 8). */
export function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < ascii.length; index += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ ascii.charCodeAt(index)) & 0xff] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * Returns the CRC-32 of `ascii` as six base62 digits, most significant first, padded with `0` (62⁶ is more than 2³²).
 */
export function checksum(ascii: string): string {
  let rest = crc32(ascii);
  let digits = '';
  for (let position = 0; position < CHECKSUM_CHARACTERS; position += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Builds a secret from its prefix and its random part. */
export function buildToken(prefix: string, random: string): string {
  return prefix + random + checksum(prefix + random);
}

/**
 * Returns whether `text` has the format of a secret with this prefix and a correct checksum. The secret can still be
 * unknown to the server.
 */
export function hasTokenFormat(prefix: string, text: string): boolean {
  const length = prefix.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
  if (text.length !== length || !text.startsWith(prefix)) return false;
  if (!/^[0-9A-Za-z]+$/.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}
