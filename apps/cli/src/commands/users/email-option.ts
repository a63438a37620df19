import { usageError } from '../../runtime/errors.ts';

/** @throws a usage error for what is no address; which ones the server takes, and which are taken, it judges itself. */
export function requireAddress(email: string | undefined): void {
  if (email === undefined || /\S@\S/.test(email)) return;
  throw usageError(`--email ${email} is no e-mail address.`, 'Write it as ada@example.com.');
}
