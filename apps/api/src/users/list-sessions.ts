import { PERSONAL_TOKEN_PREFIX, type PersonalToken, type Session } from '@hub/contract';
import type { Caller, UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { PersonalTokenRecord, SessionRecord } from '../storage/users-store.ts';

/** Returns a page of the caller's sessions that have not ended, most recent sign-in first. */
export async function listSessions(
  { store, clock, revocations }: Pick<Deps, 'store' | 'clock' | 'revocations'>,
  caller: UserCaller,
  { limit, before }: PageRequest,
): Promise<Page<Session>> {
  const sessions = await store.users.listSessions({
    personId: caller.user.id,
    now: clock.now(),
    limit: limit + 1,
    before,
  });
  const views = sessions.map((session) => sessionView(session, caller));
  const { items, next } = pageOf(views, limit);
  return { items: items.filter(({ id }) => revocations.revokedAt(id) === undefined), next };
}

/** Returns a page of a user's tokens, newest first. Expired ones are included, since they explain a 401. */
export async function listTokens(
  { store, revocations }: Pick<Deps, 'store' | 'revocations'>,
  personId: string,
  { limit, before }: PageRequest,
): Promise<Page<PersonalToken>> {
  const tokens = await store.users.listTokens({ personId, limit: limit + 1, before });
  const { items, next } = pageOf(tokens.map(personalTokenView), limit);
  return { items: items.filter(({ id }) => revocations.revokedAt(id) === undefined), next };
}

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
