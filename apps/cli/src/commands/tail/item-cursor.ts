const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/**
 * Returns a list cursor for `after` that precedes all items accepted at or after a time. Lists accept any well-formed
 * ID, even if no item has it. An ID is a prefix and a ULID (github.com/ulid/spec).
 */
export function cursorBefore(timeMs: number): string {
  let rest = Math.max(0, timeMs);
  let time = '';
  for (let index = 0; index < TIME_CHARACTERS; index += 1) {
    time = CROCKFORD.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return `msg_${time}${'0'.repeat(RANDOM_CHARACTERS)}`;
}

/** The cursor before all items. */
export const BEFORE_ALL = cursorBefore(0);

/** Compares items by the order in which the server created them. */
export function byAge(one: { id: string }, other: { id: string }): number {
  const [a, b] = [ulidOf(one.id), ulidOf(other.id)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
