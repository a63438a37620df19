import { AppError } from '../errors.ts';

/**
 * One `@` with something on both sides, and nothing that is blank or does not show: whether mail arrives there, only mail
 * could tell. A host without a point is fine on a network of one's own.
 */
const ADDRESS =
  /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+@[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/** An e-mail address as accounts are known by: without the white space around it, and in lower case. */
export function emailAddress(text: string): string {
  const address = normalizedEmail(text);
  if (ADDRESS.test(address)) return address;
  throw new AppError('invalid', 'email must be an e-mail address such as ada@example.org');
}

/** The same for one that need not be valid, because it is only looked up. */
export function normalizedEmail(text: string): string {
  return text.trim().toLowerCase().normalize('NFC');
}
