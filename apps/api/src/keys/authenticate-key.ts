import { hasTokenFormat, KEY_PREFIX } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { hashToken } from '../credentials/tokens.ts';
import type { KeyCredential } from '../storage/key-store.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Returns the error for a key that is not valid. Unknown, expired and revoked keys share one message. */
export function keyNotValid(): AppError {
  return new AppError(
    'unauthenticated',
    'This API key is not valid: it is unknown, expired or revoked. Ask an admin for a new one.',
    CHALLENGE,
  );
}

/**
 * Returns the key for a bearer token. Otherwise throws an `unauthenticated` error, which reveals nothing about a key
 * that a stranger found. An error of the store is not a failed authentication: it passes through as 503.
 */
export async function authenticateKey(
  {
    store,
    clock,
    failedAuthentication,
    revocations,
  }: Pick<Deps, 'store' | 'clock' | 'failedAuthentication' | 'revocations'>,
  token: string | null,
  address: string,
): Promise<KeyCredential> {
  const reject = async (error: string | AppError): Promise<never> => {
    await failedAuthentication.slow(address);
    throw typeof error === 'string' ? new AppError('unauthenticated', error, CHALLENGE) : error;
  };

  if (token === null) return reject('Missing API key. Send it as "Authorization: Bearer hub_live_…".');
  if (!hasTokenFormat(KEY_PREFIX, token)) {
    return reject(
      'Malformed API key: a key is hub_live_ followed by 40 letters and digits. Check that you copied all of it.',
    );
  }
  const key = await store.keys.findByTokenHash(hashToken(token));
  const isAccepted = key && isValid(key, clock.now()) && revocations.revokedAt(key.id) === undefined;
  return isAccepted ? key : reject(keyNotValid());
}
