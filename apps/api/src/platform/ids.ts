import type { Clock, Random } from './ports.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** All pairs of last digits, by their value. Nearly every id differs from the previous one only in these two digits. */
const LAST_DIGITS = Array.from({ length: 32 * 32 }, (_, n) => CROCKFORD.charAt(n >> 5) + CROCKFORD.charAt(n & 31));

/** Makes an id whose prefix says in logs what it refers to. Each kind of object has its own, where its ids are made. */
export type NewId = (prefix: string) => string;

/**
 * Makes ids such as `msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC`: a prefix and a monotonic ULID (github.com/ulid/spec). Within one
 * process, ids increase strictly, even if the clock is set back, so indexes grow at their end.
 */
export function createIds(clock: Clock, random: Random): NewId {
  let lastTime = -1;
  let timeText = '';
  /** All digits of the random part except the last two. */
  const digits = new Uint8Array(RANDOM_CHARACTERS - 2);
  let lastDigits = 0;
  let start = '';

  return (prefix) => {
    const now = clock.now();
    if (now > lastTime) {
      lastTime = now;
      timeText = encodeTime(now);
      const bytes = random.bytes(RANDOM_CHARACTERS);
      for (let index = 0; index < digits.length; index += 1) digits[index] = (bytes[index] ?? 0) & 31;
      // A clear top bit leaves room for 2⁷⁹ increments, so the carry below cannot overflow.
      digits[0] = (digits[0] ?? 0) & 15;
      lastDigits = (((bytes.at(-2) ?? 0) & 31) << 5) | ((bytes.at(-1) ?? 0) & 31);
      start = timeText + encodeDigits(digits);
    } else if (lastDigits < LAST_DIGITS.length - 1) {
      lastDigits += 1;
    } else {
      lastDigits = 0;
      increment(digits);
      start = timeText + encodeDigits(digits);
    }
    return `${prefix}_${start}${LAST_DIGITS[lastDigits]}`;
  };
}

/** Returns when an id was created, in milliseconds since 1970. */
export function idTime(id: string): number {
  const text = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARACTERS);
  return [...text].reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0);
}

/** Returns a cursor (not the id of any object) that sorts before or after all ids created in this millisecond. */
export function cursorAtTime(time: number, side: 'before' | 'after', prefix = 'item'): string {
  return `${prefix}_${encodeTime(time)}${(side === 'before' ? '0' : 'Z').repeat(RANDOM_CHARACTERS)}`;
}

function encodeTime(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let count = 0; count < TIME_CHARACTERS; count += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeDigits(digits: Uint8Array): string {
  let text = '';
  for (const digit of digits) text += CROCKFORD.charAt(digit);
  return text;
}

function increment(digits: Uint8Array): void {
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const digit = digits[index] ?? 0;
    if (digit < 31) {
      digits[index] = digit + 1;
      return;
    }
    digits[index] = 0;
  }
}
