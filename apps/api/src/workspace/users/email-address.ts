import { AppError } from '../../platform/errors.ts';

/** One `@` between text without white space and invisible characters. Hosts of private networks may lack a dot. */
const ADDRESS =
  /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+@[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/** Returns the e-mail address in the form in which accounts store it: trimmed and in lower case. */
export function emailAddress(text: string, field = 'email'): string {
  const address = normalizedEmail(text);
  if (ADDRESS.test(address)) return address;
  throw new AppError('invalid', `${field} must be an e-mail address, such as ada@example.org`);
}

/** Normalizes an e-mail address that is only looked up and need not be valid. */
export function normalizedEmail(text: string): string {
  return text.trim().toLowerCase().normalize('NFC');
}
