import { PERSONAL_TOKEN_PREFIX, type PersonalToken, type Session } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { PersonalTokenRecord, SessionRecord } from '../storage/users-store.ts';

/** Returns a session as its user sees it. */
export function sessionView(session: SessionRecord, { credential }: Pick<Caller, 'credential'>): Session {
  return {
    id: session.id,
    createdAt: isoTime(session.createdAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    expiresAt: isoTime(session.expiresAt),
    address: session.address,
    userAgent: session.userAgent,
    isCurrent: credential.kind === 'session' && credential.id === session.id,
  };
}

/** Returns a personal access token as its user sees it. */
export function personalTokenView(token: PersonalTokenRecord): PersonalToken {
  return {
    id: token.id,
    name: token.name,
    hint: `${PERSONAL_TOKEN_PREFIX}…${token.lastFour}`,
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTimeOrNull(token.expiresAt),
    lastUsedAt: isoTimeOrNull(token.lastUsedAt),
    lastUsedAddress: token.lastUsedAddress,
  };
}
