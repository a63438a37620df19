import type { Clock, Random } from './ports.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const ID = new RegExp(`^[a-z]+_[${CROCKFORD}]{${TIME_CHARACTERS + RANDOM_CHARACTERS}}$`);

/** The form of an id, for JSON Schema. */
export const ID_PATTERN = ID.source;

/** The last two digits of an id, by their number. Nearly every id differs from the one before in these alone. */
const LAST_DIGITS = Array.from({ length: 32 * 32 }, (_, n) => CROCKFORD.charAt(n >> 5) + CROCKFORD.charAt(n & 31));

/** What an id names. The prefix lets a person who meets an id in a log know what it is. */
export type IdPrefix =
  | 'msg'
  | 'note'
  | 'todo'
  | 'hub'
  | 'cnv'
  | 'bkt'
  | 'key'
  | 'aud'
  | 'req'
  | 'bot'
  | 'epoch'
  | 'run'
  | 'usr'
  | 'ses'
  | 'pat'
  | 'lnk'
  | 'rmv'
  | 'bak';

export type NewId = (prefix: IdPrefix) => string;

/**
 * Makes ids of the form `msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC`: a prefix and a monotonic ULID (github.com/ulid/spec), that is
 * 48 bits of time and 80 bits of randomness in Crockford's base 32. Within one process ids rise strictly, also when
 * the clock is set back, so that sorting by id is sorting by creation and an index grows at its end.
 */
export function createIds(clock: Clock, random: Random): NewId {
  let lastTime = -1;
  let timeText = '';
  /** All digits of the random part but the last two. */
  const digits = new Uint8Array(RANDOM_CHARACTERS - 2);
  let lastDigits = 0;
  let start = '';

  return (prefix) => {
    const now = clock.now();
    if (now > lastTime) {
      lastTime = now;
      timeText = encodeTime(now);
      const bytes = random.bytes(RANDOM_CHARACTERS);
      for (let place = 0; place < digits.length; place += 1) digits[place] = (bytes[place] ?? 0) & 31;
      // A clear top bit leaves room for 2⁷⁹ increments, so that the carry below cannot run out.
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

/** Whether a text has the form of an id, of whatever thing. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** When an id was made, in milliseconds since 1970. */
export function idTime(id: string): number {
  const text = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARACTERS);
  return [...text].reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0);
}

/** A place between ids and not an id of anything: before, or behind, all that were made in this millisecond. */
export function placeAtTime(time: number, side: 'before' | 'behind', prefix = 'item'): string {
  return `${prefix}_${encodeTime(time)}${(side === 'before' ? '0' : 'Z').repeat(RANDOM_CHARACTERS)}`;
}

function encodeTime(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let place = 0; place < TIME_CHARACTERS; place += 1) {
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
  for (let place = digits.length - 1; place >= 0; place -= 1) {
    const digit = digits[place] ?? 0;
    if (digit < 31) {
      digits[place] = digit + 1;
      return;
    }
    digits[place] = 0;
  }
}
