import { hasTokenFormat, SESSION_PREFIX } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { printable } from '../core/printable.ts';
import { SESSION_LIFETIME_MS } from '../credentials/credential-use.ts';
import { generateToken } from '../credentials/generate-token.ts';
import { hashToken } from '../credentials/hash-token.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { SessionRecord } from '../storage/users-store.ts';

/** The client that keeps the session cookie, as described by its request. */
export interface Browser {
  address: string;
  userAgent: string | null;
  /** The session token that the request came with. */
  formerToken: string | null;
}

export interface NewSession {
  session: SessionRecord;
  tokenHash: Uint8Array;
  /** The session of the request, which ends when the user signs in again. */
  endsTokenHash?: Uint8Array | undefined;
}

const MAX_USER_AGENT_CHARACTERS = 256;

/**
 * Creates a session and the token for its cookie. The session is always a new one, so that a planted cookie never
 * becomes a session (session fixation), and the session that came with the request ends.
 */
export function newSession(
  { clock, random, newId }: Pick<Deps, 'clock' | 'random' | 'newId'>,
  personId: string,
  { address, userAgent, formerToken }: Browser,
): { token: string; session: NewSession } {
  const token = generateToken(SESSION_PREFIX, random);
  const now = clock.now();
  const isSession = formerToken !== null && hasTokenFormat(SESSION_PREFIX, formerToken);
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

/** Writes a new session. Signing in updates when the user was last seen, even if no request follows. */
export async function startSession(
  { sessions, users }: Pick<Repositories, 'sessions' | 'users'>,
  { session, tokenHash, endsTokenHash }: NewSession,
): Promise<void> {
  if (endsTokenHash) await sessions.deleteByTokenHash(endsTokenHash);
  await sessions.insert(session, tokenHash);
  await recordSeen(users, session.personId, session.createdAt);
}

/** Records that a user was seen, unless they have been seen later. */
export async function recordSeen(users: Repositories['users'], personId: string, at: number): Promise<void> {
  const user = await users.find(personId);
  if (user && at > (user.lastSeenAt ?? 0)) await users.update(personId, { lastSeenAt: at });
}
