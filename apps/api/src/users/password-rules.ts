import { LIMITS } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/**
 * Throws `invalid` if a new password is too short, common, or the e-mail address itself. Any characters are allowed
 * (NIST SP 800-63B, section 3.1.1.2). `field` is the name of the body field for the error message.
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const min = LIMITS.passwordMinCodePoints;
  const size = [...password].length;
  if (size < min) throw new AppError('invalid', `${field} has ${size} characters; at least ${min} are required`);
  if (password.trim().toLowerCase() === email) {
    throw new AppError('invalid', `${field} must not be the e-mail address: choose another password`);
  }
  if (isCommonPassword(password)) {
    throw new AppError('invalid', `${field} is too easy to guess: choose a less common password`);
  }
}
