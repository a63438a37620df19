import type { Actor, LinkKind, Role } from '@hub/contract';
import type { PageRequest } from '../core/paging.ts';

export interface UserRecord {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  role: Role;
  createdAt: number;
  disabledAt: number | null;
  lastSeenAt: number | null;
}

/** Forms of a name that no two users may share: ignoring case, and by what its letters look like. */
export interface NameKeys {
  caselessName: string;
  skeletonName: string;
}

export interface SessionRecord {
  id: string;
  userId: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  address: string;
  userAgent: string | null;
}

export interface PersonalTokenRecord {
  id: string;
  userId: string;
  name: string;
  lastFour: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  lastUsedAddress: string | null;
}

/** The current state of the user of a session or a personal token. The user may be disabled. */
export interface UserCredential {
  kind: 'session' | 'token';
  /** The id of the session or the token. */
  id: string;
  expiresAt: number | null;
  user: UserRecord;
}

export interface LinkRecord {
  id: string;
  kind: LinkKind;
  /** Set for an invitation. */
  email: string | null;
  role: Role | null;
  hubIds: string[];
  /** Set for a password reset. */
  userId: string | null;
  createdAt: number;
  createdBy: Actor;
  expiresAt: number | null;
}

/** The part of the port that reads users with their sessions, tokens and links. */
export interface UserReads {
  find(userId: string): Promise<UserRecord | null>;
  list(page: PageRequest): Promise<UserRecord[]>;
  /** Whether there is an owner, besides `exceptId`, who is not disabled. */
  hasOwner(exceptId?: string): Promise<boolean>;
  /** Finds the data needed for signing in. The address must be in lower case. */
  findForSignIn(email: string): Promise<{ user: UserRecord; passwordHash: string } | null>;
  findPasswordHash(userId: string): Promise<string | null>;
  /** Finds a user, disabled or not, with one of these forms of a name, other than `exceptId`. */
  findByName(keys: NameKeys, exceptId: string | null): Promise<UserRecord | null>;
  findCredential(tokenHash: Uint8Array, kind: 'session' | 'token'): Promise<UserCredential | null>;
  /** Like `findCredential`, but by id, to reauthorize an open connection. */
  findCredentialById(id: string, kind: 'session' | 'token'): Promise<UserCredential | null>;
  /** Lists the sessions that end after `now`. */
  listSessions(page: PageRequest & { userId: string; now: number }): Promise<SessionRecord[]>;
  /** Returns when the password was last confirmed in this session; `null` if there is no such session. */
  passwordGivenAt(sessionId: string): Promise<number | null>;
  listTokens(page: PageRequest & { userId: string }): Promise<PersonalTokenRecord[]>;
  findLink(tokenHash: Uint8Array): Promise<LinkRecord | null>;
  listInvitations(page: PageRequest & { now: number }): Promise<LinkRecord[]>;
}

export interface UserRepository extends UserReads {
  /** Every e-mail address has at most one account, and so has each form of a name. */
  insert(user: UserRecord, more: NameKeys & { passwordHash: string }): Promise<void>;
  update(userId: string, changes: UserChanges): Promise<void>;
  /** Records that the user was seen, unless they were seen later. */
  seen(userId: string, at: number): Promise<void>;
}

/** A new name comes with its forms. */
export type UserChanges = Partial<
  Pick<UserRecord, 'name' | 'role' | 'disabledAt'> & NameKeys & { passwordHash: string }
>;

export interface SessionRepository {
  find(sessionId: string): Promise<SessionRecord | null>;
  insert(session: SessionRecord, tokenHash: Uint8Array): Promise<void>;
  update(sessionId: string, changes: SessionChanges): Promise<void>;
  delete(sessionId: string): Promise<void>;
  deleteByTokenHash(tokenHash: Uint8Array): Promise<void>;
  deleteAllOf(userId: string): Promise<void>;
  /** Deletes the sessions of a user except this many that began last. */
  deleteAllButNewest(userId: string, count: number): Promise<void>;
  /** Deletes the sessions that ended at `now` or earlier. */
  deleteExpired(now: number): Promise<void>;
}

/** `confirmedAt`: when the password was last confirmed. */
export type SessionChanges = Partial<
  Pick<SessionRecord, 'lastUsedAt' | 'expiresAt' | 'address'> & { confirmedAt: number }
>;

/** Personal access tokens. */
export interface TokenRepository {
  find(tokenId: string): Promise<PersonalTokenRecord | null>;
  /** Counts the tokens of a user that have not expired at `at`. */
  countValid(userId: string, at: number): Promise<number>;
  insert(token: PersonalTokenRecord, tokenHash: Uint8Array): Promise<void>;
  update(tokenId: string, changes: TokenChanges): Promise<void>;
  delete(tokenId: string): Promise<void>;
  deleteAllOf(userId: string): Promise<void>;
}

export type TokenChanges = Partial<Pick<PersonalTokenRecord, 'lastUsedAt' | 'lastUsedAddress'>>;

/** Setup, invitation and password-reset links that can still be used. */
export interface LinkRepository {
  find(linkId: string): Promise<LinkRecord | null>;
  /** Writes a link in place of those of its kind for the same address or user, also of those being written. */
  replace(link: LinkRecord, tokenHash: Uint8Array): Promise<void>;
  delete(linkId: string): Promise<void>;
  deleteMatching(filter: LinkFilter): Promise<void>;
  /** Deletes the invitations and reset links that this user has created. */
  deleteCreatedBy(userId: string): Promise<void>;
  /** Deletes the links that ended at `now` or earlier. */
  deleteExpired(now: number): Promise<void>;
}

/** Links of one kind: all, or those for this address or user. */
export type LinkFilter = Pick<LinkRecord, 'kind'> & Partial<Pick<LinkRecord, 'email' | 'userId'>>;
