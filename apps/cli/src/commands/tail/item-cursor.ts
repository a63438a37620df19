const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/**
 * A place in the lists, for `after`: before all that was accepted at this time or later. Lists take the id of any item, and
 * an id that no item has stands where it would belong. An id is a prefix and a ULID (github.com/ulid/spec).
 */
export function cursorBefore(timeMs: number): string {
  let rest = Math.max(0, timeMs);
  let time = '';
  for (let place = 0; place < TIME_CHARACTERS; place += 1) {
    time = CROCKFORD.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return `msg_${time}${'0'.repeat(RANDOM_CHARACTERS)}`;
}

/** Before everything. */
export const BEFORE_ALL = cursorBefore(0);

/** In the order in which the server has made their ids. */
export function byAge(one: { id: string }, other: { id: string }): number {
  const [a, b] = [ulidOf(one.id), ulidOf(other.id)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
