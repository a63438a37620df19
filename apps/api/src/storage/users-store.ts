import type { Actor, LinkKind, PerKind, Role } from '@hub/contract';
import type { PageRequest } from './records.ts';

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

export interface SessionRecord {
  id: string;
  personId: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  address: string;
  userAgent: string | null;
}

export interface PersonalTokenRecord {
  id: string;
  personId: string;
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
  personId: string | null;
  createdAt: number;
  createdBy: Actor;
  expiresAt: number | null;
}

/** The part of the port that reads users with their sessions, tokens and links. */
export interface UserReads {
  find(personId: string): Promise<UserRecord | null>;
  list(page: PageRequest): Promise<UserRecord[]>;
  /** Whether there is an owner, besides `exceptId`, who is not disabled. */
  hasOwner(exceptId?: string): Promise<boolean>;
  /** Finds the data needed for signing in. The address must be in lower case. */
  findForSignIn(email: string): Promise<{ user: UserRecord; passwordHash: string } | null>;
  findPasswordHash(personId: string): Promise<string | null>;
  findCredential(tokenHash: Uint8Array, kind: 'session' | 'token'): Promise<UserCredential | null>;
  /** Like `findCredential`, but by id, to reauthorize an open connection. */
  findCredentialById(id: string, kind: 'session' | 'token'): Promise<UserCredential | null>;
  /** Lists the sessions that end after `now`. */
  listSessions(page: PageRequest & { personId: string; now: number }): Promise<SessionRecord[]>;
  /** Returns when the password was last confirmed in this session; `null` if there is no such session. */
  passwordGivenAt(sessionId: string): Promise<number | null>;
  listTokens(page: PageRequest & { personId: string }): Promise<PersonalTokenRecord[]>;
  findLink(tokenHash: Uint8Array): Promise<LinkRecord | null>;
  listInvitations(page: PageRequest & { now: number }): Promise<LinkRecord[]>;
}

export interface MembershipRecord {
  hubId: string;
  personId: string;
  joinedAt: number;
  /** How far this user has read each kind: the sequence number of an event. */
  readSeqs: PerKind<number>;
  /** The newest rank when the mark was set. */
  readRanks: PerKind<number>;
}

export interface MembershipReads {
  find(hubId: string, personId: string): Promise<MembershipRecord | null>;
  listMembers(page: PageRequest & { hubId: string }): Promise<(MembershipRecord & { user: UserRecord })[]>;
  /** Returns all live Hubs of a user. */
  listHubIds(personId: string): Promise<string[]>;
  /** Counts the items by others after the read marks, each kind up to `limit`. */
  countUnread(membership: MembershipRecord, limit: number): Promise<PerKind<number>>;
}
