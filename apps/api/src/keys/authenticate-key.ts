import { hasTokenForm, KEY_PREFIX } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { KeyCredential } from '../store/store.ts';
import { hashToken } from './hash-token.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * The key behind a bearer token, or an `unauthenticated` refusal. One message serves for unknown, expired and revoked, so
 * that a stranger learns nothing about a key that he found. A failure of the store is no failure to authenticate: it
 * passes through as 503.
 */
export async function authenticateKey(
  { store, clock, failedAuthentication }: Pick<Deps, 'store' | 'clock' | 'failedAuthentication'>,
  token: string | null,
  address: string,
): Promise<KeyCredential> {
  const refuse = async (message: string): Promise<never> => {
    await failedAuthentication.slow(address);
    throw new Refusal('unauthenticated', message, CHALLENGE);
  };

  if (token === null) return refuse('An API key is missing. Send it as "Authorization: Bearer hub_live_…".');
  if (!hasTokenForm(KEY_PREFIX, token)) {
    return refuse('This is not an API key, or a part of it is missing: a key is hub_live_ and 40 letters and digits.');
  }
  const key = await store.keys.findByTokenHash(hashToken(token));
  if (!key || !isValid(key, clock.now())) {
    return refuse('This API key is not valid: it is unknown, has expired or was revoked. Ask for a new one.');
  }
  return key;
}
