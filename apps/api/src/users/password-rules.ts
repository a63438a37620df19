import { LIMITS } from '@hub/contract';
import { AppError } from '../errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/**
 * Refuses a new password that is too short, common, or the e-mail address itself. Nothing is said about what it is made of
 * (NIST SP 800-63B, section 3.1.1.2). `field` is the one that it came in.
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const least = LIMITS.passwordMinCodePoints;
  const size = [...password].length;
  if (size < least) throw new AppError('invalid', `${field} has ${size} characters; at least ${least} are needed`);
  if (password.trim().toLowerCase() === email) {
    throw new AppError('invalid', `${field} must not be the e-mail address: choose another`);
  }
  if (isCommonPassword(password)) {
    throw new AppError('invalid', `${field} is one of the passwords that are guessed first: choose a less common one`);
  }
}
