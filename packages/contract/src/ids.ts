/** The format of every ID: a prefix and a ULID in Crockford's base 32. */
export const ID_PATTERN = '^[a-z]+_[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{26}$';

const ID = new RegExp(ID_PATTERN);

/** Whether a string has the format of an ID, with any prefix. */
export function isId(text: string): boolean {
  return ID.test(text);
}
