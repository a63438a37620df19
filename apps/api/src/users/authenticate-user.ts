import { hasTokenForm, KEY_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import { type Caller, userCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { hashToken } from '../keys/hash-token.ts';
import type { UserCredential } from '../store/users-store.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

const NOT_VALID = {
  session: 'You are not signed in any more. Sign in again.',
  token: 'This personal access token is not valid: it is unknown, has expired or was revoked. Make a new one.',
} as const;

/** For what was good when the request came, and ended before it was carried out. */
export function notValidAnyMore(kind: 'session' | 'token'): AppError {
  return new AppError('unauthenticated', NOT_VALID[kind], CHALLENGE);
}

export interface ShownCredential {
  kind: 'session' | 'token';
  /** `null`: none was shown. */
  secret: string | null;
}

/**
 * The person behind a session or a personal token, or an `unauthenticated` refusal that does not tell whether what was
 * shown ever was valid. A failure of the store passes through as 503.
 */
export async function authenticateUser(
  deps: Pick<Deps, 'store' | 'clock' | 'failedAuthentication' | 'credentialUse' | 'revocations'>,
  { kind, secret }: ShownCredential,
  address: string,
): Promise<Caller> {
  const reject = async (message: string): Promise<never> => {
    await deps.failedAuthentication.slow(address);
    throw new AppError('unauthenticated', message, CHALLENGE);
  };
  if (secret === null) {
    // Nothing was guessed: so asks every browser that opens the way in, and many may share an address.
    throw new AppError(
      'unauthenticated',
      'Sign in first, or send "Authorization: Bearer hub_pat_…" with a personal access token.',
      CHALLENGE,
    );
  }
  const prefix = kind === 'session' ? SESSION_PREFIX : PERSONAL_TOKEN_PREFIX;
  if (kind === 'token' && secret.startsWith(KEY_PREFIX)) {
    return reject('This is an API key, which can only post. Send a personal access token (hub_pat_…) here.');
  }
  const credential = hasTokenForm(prefix, secret)
    ? await deps.store.users.findCredential(hashToken(secret), kind)
    : null;
  if (!credential || !isCredentialValid(deps, credential)) {
    return reject(NOT_VALID[kind]);
  }
  deps.credentialUse.note(credential, address);
  return userCaller(credential, address);
}

/** Whether it lets its person in: it has not ended, and nobody has disabled the account. */
export function isCredentialValid(
  { clock, revocations }: Pick<Deps, 'clock' | 'revocations'>,
  { id, expiresAt, user }: UserCredential,
): boolean {
  if (revocations.revokedAt(id) !== undefined) return false;
  return user.disabledAt === null && (expiresAt === null || clock.now() < expiresAt);
}
