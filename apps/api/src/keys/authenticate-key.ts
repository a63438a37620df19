import { hasTokenForm, KEY_PREFIX } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { KeyCredential } from '../store/store.ts';
import { hashToken } from './hash-token.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** The error for a key that does not authenticate, now or any more. One message serves for unknown, expired and revoked. */
export function keyNotValid(): AppError {
  return new AppError(
    'unauthenticated',
    'This API key is not valid: it is unknown, has expired or was revoked. Ask for a new one.',
    CHALLENGE,
  );
}

/**
 * The key behind a bearer token, or an `unauthenticated` refusal that tells a stranger nothing about a key that they found. A
 * failure of the store is no failure to authenticate: it passes through as 503.
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

  if (token === null) return reject('An API key is missing. Send it as "Authorization: Bearer hub_live_…".');
  if (!hasTokenForm(KEY_PREFIX, token)) {
    return reject('This is not an API key, or a part of it is missing: a key is hub_live_ and 40 letters and digits.');
  }
  const key = await store.keys.findByTokenHash(hashToken(token));
  const isAccepted = key && isValid(key, clock.now()) && revocations.revokedAt(key.id) === undefined;
  return isAccepted ? key : reject(keyNotValid());
}
