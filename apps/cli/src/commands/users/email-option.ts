import { usageError } from '../../runtime/errors.ts';

/** @throws a usage error if this is not an e-mail address. The server validates it further. */
export function requireAddress(email: string | undefined): void {
  if (email === undefined || /\S@\S/.test(email)) return;
  throw usageError(`Invalid --email "${email}".`, 'Use the format ada@example.com.');
}
