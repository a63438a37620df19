import {
  type IssuedPersonalToken,
  LIMITS,
  PERSONAL_TOKEN_PREFIX,
  type PersonalToken,
  type Session,
} from '@hub/contract';
import { auditRecord, type Caller, changeUsersAs, recordAction, type UserCaller } from '../../access/caller.ts';
import { generateToken, hashToken, revocationNotSaved } from '../../access/credentials.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, notFound, StoreUnavailable } from '../../platform/errors.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { PersonalTokenRecord, SessionRecord } from '../../storage/sessions-and-tokens.ts';
import { chosenExpiry, type ExpiryChoice } from '../keys/change-key.ts';
import { noticeUser } from './notices.ts';

/** Returns a page of the caller's sessions that have not ended, most recent sign-in first. */
export function listSessions(deps: Deps, caller: UserCaller, page: PageRequest): Promise<Page<Session>> {
  const { store, clock } = deps;
  const read = (rows: PageRequest) => store.users.listSessions({ ...rows, userId: caller.user.id, now: clock.now() });
  return unrevoked(
    deps,
    readPage(page, read, (session) => sessionView(session, caller)),
  );
}

/** Returns a page of the caller's tokens, newest first. Expired ones are included, since they explain a 401. */
export function listTokens(deps: Deps, caller: UserCaller, page: PageRequest): Promise<Page<PersonalToken>> {
  const read = (rows: PageRequest) => deps.store.users.listTokens({ ...rows, userId: caller.user.id });
  return unrevoked(
    deps,
    readPage(page, read, (token) => personalTokenView(token, caller)),
  );
}

async function unrevoked<T extends { id: string }>({ revocations }: Deps, page: Promise<Page<T>>): Promise<Page<T>> {
  const { items, next } = await page;
  return { items: items.filter(({ id }) => revocations.revokedAt(id) === undefined), next };
}

function sessionView(session: SessionRecord, { credential }: Pick<Caller, 'credential'>): Session {
  const { id, createdAt, lastUsedAt, expiresAt, address, userAgent } = session;
  const times = { createdAt: isoTime(createdAt), lastUsedAt: isoTime(lastUsedAt), expiresAt: isoTime(expiresAt) };
  return { id, ...times, address, userAgent, isCurrent: credential.kind === 'session' && credential.id === id };
}

function personalTokenView(token: PersonalTokenRecord, { credential }: Pick<Caller, 'credential'>): PersonalToken {
  return {
    id: token.id,
    name: token.name,
    hint: `${PERSONAL_TOKEN_PREFIX}…${token.lastFour}`,
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTimeOrNull(token.expiresAt),
    lastUsedAt: isoTimeOrNull(token.lastUsedAt),
    lastUsedAddress: token.lastUsedAddress,
    isCurrent: credential.kind === 'token' && credential.id === token.id,
  };
}

/** Creates a personal access token with the rights of its user. Only the response contains the token. */
export function createToken(
  deps: Deps,
  caller: UserCaller,
  input: ExpiryChoice & { name: string },
): Promise<IssuedPersonalToken> {
  const expiresAt = chosenExpiry(input, deps.clock.now(), null);
  return changeUsersAs(deps, caller, [], async (tx, current) => {
    const { name } = input;
    return { ...(await issueToken(tx, deps, current, { name, expiresAt })), isCurrent: false };
  });
}

/** The user whom a token will belong to, and the address that it is made from. */
type TokenOwner = Pick<UserCaller, 'actor' | 'address' | 'user'>;

/** Issues a token for a user, who is locked. */
export async function issueToken(
  tx: Repositories,
  deps: Deps,
  owner: TokenOwner,
  { name, expiresAt }: { name: string; expiresAt: number | null },
): Promise<Omit<IssuedPersonalToken, 'isCurrent'>> {
  const now = deps.clock.now();
  const secret = generateToken(PERSONAL_TOKEN_PREFIX, deps.random);
  const token: PersonalTokenRecord = {
    id: deps.newId('pat'),
    userId: owner.user.id,
    name: name.trim(),
    lastFour: secret.slice(-4),
    createdAt: now,
    expiresAt,
    lastUsedAt: null,
    lastUsedAddress: null,
  };
  if ((await tx.tokens.countValid(owner.user.id, now)) >= LIMITS.accessTokens) {
    const limit = `You have ${LIMITS.accessTokens} access tokens, the maximum per user.`;
    throw new AppError('conflict', `${limit} Revoke one that you no longer use.`);
  }
  await tx.tokens.insert(token, hashToken(secret));
  await recordAction(tx, deps, owner, {
    action: 'token.created',
    target: token,
    details: { expiresAt: isoTimeOrNull(token.expiresAt) },
  });
  await noticeUser(tx, deps, owner.user, {
    event: `You created the access token ${token.name}.`,
    address: owner.address,
    action: { label: 'Your access tokens', path: '/settings/tokens' },
  });
  const { isCurrent: _, ...view } = personalTokenView(token, { credential: { kind: 'local' } });
  return { ...view, token: secret };
}

/** The dependencies of what ends sessions and tokens. */
export interface SessionDeps extends Deps {
  /** The live connections, of which those of an ended credential are closed. */
  live: { credentialEnded(): void };
}

/** Ends one of the caller's sessions. Requests that begin after the response can no longer use it. */
export async function endSession(deps: SessionDeps, caller: UserCaller, sessionId: string): Promise<Session> {
  const ended = await endCredential(deps, caller, { id: sessionId, kind: 'session', among: (tx) => tx.sessions });
  if (!ended) throw notFound('session', sessionId);
  return sessionView(ended, caller);
}

/** Revokes one of the caller's tokens. A token can revoke only itself: a leaked one must not protect itself. */
export async function revokeToken(deps: SessionDeps, caller: UserCaller, tokenId: string): Promise<PersonalToken> {
  if (caller.credential.kind === 'token' && caller.credential.id !== tokenId) {
    const other = await deps.store.users.findCredentialById(tokenId, 'token');
    if (other?.user.id !== caller.user.id) throw notFound('personal access token', tokenId);
    throw new AppError(
      'forbidden',
      'A personal access token can revoke only itself. To revoke others, sign in with your password.',
    );
  }
  const revoked = await endCredential(deps, caller, { id: tokenId, kind: 'token', among: (tx) => tx.tokens });
  if (!revoked) throw notFound('personal access token', tokenId);
  return personalTokenView(revoked, caller);
}

interface Ended<T> {
  id: string;
  kind: 'session' | 'token';
  among: (tx: Repositories) => { find(id: string): Promise<T | null>; delete(id: string): Promise<void> };
}

/** Ends a session or token of the caller, or returns `null`. On a full disk, in memory only, and the error says so. */
async function endCredential<T extends { userId: string }>(
  deps: SessionDeps,
  caller: UserCaller,
  { id, kind, among }: Ended<T>,
): Promise<T | null> {
  const action = kind === 'session' ? 'session.ended' : 'token.revoked';
  const audit = auditRecord(deps, caller, { action, target: { id, name: null } });
  const end = async (tx: Repositories): Promise<T | null> => {
    const record = await among(tx).find(id);
    if (record?.userId !== caller.user.id) return null;
    await among(tx).delete(id);
    await tx.audit.insert(audit);
    return record;
  };
  try {
    return await changeUsersAs(deps, caller, [], end);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const record = await deps.store.users.findCredentialById(id, kind);
    if (record?.user.id !== caller.user.id) return null;
    // Not as the caller, whose own session this may be.
    const save = () => deps.store.transaction(end);
    deps.revocations.add({ id, at: deps.clock.now(), save });
    deps.live.credentialEnded();
    deps.log.error(
      { err: error, id },
      'Failed to persist the end of a session or token; it is in effect and will be retried',
    );
    throw revocationNotSaved(`The ${kind === 'token' ? 'access token was revoked' : 'session has ended'}`);
  }
}
