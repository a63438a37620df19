import { hasTokenForm, SESSION_PREFIX } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { generateToken } from '../keys/generate-token.ts';
import { hashToken } from '../keys/hash-token.ts';
import { printable } from '../printable.ts';
import type { NewSession } from '../store/users-store.ts';
import { SESSION_LIFETIME_MS } from './credential-use.ts';

/** The browser, or whatever keeps the cookie, as its request shows it. */
export interface Browser {
  address: string;
  userAgent: string | null;
  /** The token of the session with which it came. */
  formerToken: string | null;
}

const MAX_USER_AGENT_CHARACTERS = 256;

/**
 * A session and the token for its cookie. It is always a new one, so that a cookie which somebody else put into the
 * browser never becomes a session (session fixation), and the one that came with the request ends.
 */
export function newSession(
  { clock, random, newId }: Pick<Deps, 'clock' | 'random' | 'newId'>,
  personId: string,
  { address, userAgent, formerToken }: Browser,
): { token: string; session: NewSession } {
  const token = generateToken(SESSION_PREFIX, random);
  const now = clock.now();
  const isSession = formerToken !== null && hasTokenForm(SESSION_PREFIX, formerToken);
  return {
    token,
    session: {
      session: {
        id: newId('ses'),
        personId,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + SESSION_LIFETIME_MS,
        address,
        userAgent: userAgent === null ? null : printable(userAgent, MAX_USER_AGENT_CHARACTERS),
      },
      tokenHash: hashToken(token),
      endsTokenHash: isSession ? hashToken(formerToken) : undefined,
    },
  };
}
