import type { Actor, LinkKind, PerKind, Role } from '@hub/contract';
import type { UserAction } from './acting-user.ts';
import type { AuditRecord } from './audit-store.ts';
import type { HubRecord, PageRequest } from './records.ts';

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

export interface NewSession {
  session: SessionRecord;
  tokenHash: Uint8Array;
  /** The session of the request, which ends when the user signs in again. */
  endsTokenHash?: Uint8Array | undefined;
}

export interface NewUser {
  user: UserRecord;
  passwordHash: string;
  /** The Hubs that the user joins immediately, each with its audit entry; deleted Hubs are skipped. */
  hubs: { hubId: string; audit: AuditRecord }[];
  audit: AuditRecord;
}

/** A change to a user. Rejected with `forbidden` if the user is an owner and `mayTouchOwners` is false. */
export interface UserChange {
  personId: string;
  mayTouchOwners: boolean;
  audit: AuditRecord;
}

/** Usage of sessions and tokens since usage was last saved. */
export interface CredentialUse {
  kind: 'session' | 'token';
  id: string;
  personId: string;
  at: number;
  address: string;
  /** The new expiry of a session. */
  expiresAt: number | null;
}

/**
 * Users with their sessions, tokens and links. Rules that must hold even for simultaneous changes (one account per
 * e-mail address, always at least one owner, links that work only once) are checked inside the transaction.
 */
export interface UserStore {
  /**
   * Rejects with `conflict` if the e-mail address already has an account, and with `forbidden` if the actor in the
   * audit entry is a user who is no longer an admin (or, for an owner account, an owner). `change` with a role,
   * `enable` and `createLink` reject with `forbidden` in the same way; `createLink` checks the creator of the link.
   * Ends any open invitation for that address and, when an owner is created, every setup link.
   */
  create(newUser: NewUser): Promise<UserRecord>;
  find(personId: string): Promise<UserRecord | null>;
  list(page: PageRequest): Promise<UserRecord[]>;
  /** Whether there is an owner who is not disabled. */
  hasOwner(): Promise<boolean>;
  /**
   * Rejects with `conflict` if there would be no owner left. A new role ends the password-reset links for this user; a
   * lower one also ends the links that they created.
   */
  change(change: UserChange & { name?: string; role?: Role }): Promise<UserRecord | null>;
  /**
   * Ends all sessions and tokens of this user, the reset links for them and all links that they created. Disabling a
   * disabled user changes nothing. Rejects with `conflict` as `change` does.
   */
  disable(change: UserChange & { at: number }): Promise<UserRecord | null>;
  enable(change: UserChange): Promise<UserRecord | null>;

  /** Finds the data needed for signing in. The address must be in lower case. */
  findForSignIn(email: string): Promise<{ user: UserRecord; passwordHash: string } | null>;
  findPasswordHash(personId: string): Promise<string | null>;
  /**
   * Ends all other sessions of the user. Rejects with `conflict` if `formerHash` is no longer the hash of the password,
   * and with `unauthenticated` if the account has been disabled in the meantime or the session of the request has
   * ended.
   */
  changePassword(
    change: UserAction & {
      personId: string;
      formerHash: string;
      passwordHash: string;
      session: NewSession;
      audit: AuditRecord;
    },
  ): Promise<void>;

  findCredential(tokenHash: Uint8Array, kind: 'session' | 'token'): Promise<UserCredential | null>;
  /** Like `findCredential`, but by id, to reauthorize an open connection. */
  findCredentialById(id: string, kind: 'session' | 'token'): Promise<UserCredential | null>;
  saveUse(uses: readonly CredentialUse[]): Promise<void>;

  /**
   * Rejects with `unauthenticated` if the password has changed since `passwordHash` was verified, or if the user has
   * been disabled in the meantime.
   */
  createSession(newSession: NewSession & { passwordHash: string; audit: AuditRecord }): Promise<void>;
  /** Lists the sessions that end after `now`. */
  listSessions(page: PageRequest & { personId: string; now: number }): Promise<SessionRecord[]>;
  /** Returns when the password was last confirmed in this session; `null` if there is no such session. */
  passwordGivenAt(sessionId: string): Promise<number | null>;
  /** Records that the password was confirmed. Rejects with `unauthenticated` if the session has ended. */
  confirmSession(confirmation: { sessionId: string; at: number }): Promise<void>;
  /** Returns the ended session; `null` if the user has no such session. */
  endSession(change: { personId: string; sessionId: string; audit: AuditRecord }): Promise<SessionRecord | null>;

  /** Rejects with `unauthenticated` if the user has been disabled in the meantime or their session has ended. */
  createToken(
    newToken: UserAction & { token: PersonalTokenRecord; tokenHash: Uint8Array; audit: AuditRecord },
  ): Promise<void>;
  listTokens(page: PageRequest & { personId: string }): Promise<PersonalTokenRecord[]>;
  /** Returns the revoked token; `null` if the user has no such token. */
  revokeToken(change: { personId: string; tokenId: string; audit: AuditRecord }): Promise<PersonalTokenRecord | null>;

  /**
   * A new link replaces earlier links of the same kind (for the same user or e-mail address). Rejects with `conflict`
   * if the link could not be used: there is already an owner (setup) or an account (invitation), or the account is
   * disabled (reset).
   */
  createLink(newLink: {
    link: LinkRecord;
    tokenHash: Uint8Array;
    mayTouchOwners: boolean;
    audit: AuditRecord;
  }): Promise<void>;
  findLink(tokenHash: Uint8Array): Promise<LinkRecord | null>;
  listInvitations(page: PageRequest & { now: number }): Promise<LinkRecord[]>;
  /** Returns the withdrawn invitation; `null` if there is none with this id that ends after `now`. */
  withdrawInvitation(change: { linkId: string; now: number; audit: AuditRecord }): Promise<LinkRecord | null>;
  /**
   * Redeems a setup or invitation link: creates the account, its memberships and its first session in one step. Rejects
   * with `not_found` if the link has been used in the meantime, and with `conflict` if there is already an owner
   * (setup) or an account (invitation).
   */
  redeemForUser(redemption: {
    linkTokenHash: Uint8Array;
    newUser: NewUser;
    session: NewSession;
    /** Set for a setup link. */
    hub?: { hub: HubRecord; audit: AuditRecord } | undefined;
    workspaceName?: string | undefined;
  }): Promise<UserRecord>;
  /**
   * Redeems a reset link: sets the new password, and ends all sessions but the new one. Rejects with `not_found` if the
   * link has been used in the meantime.
   */
  redeemForPassword(redemption: {
    linkTokenHash: Uint8Array;
    personId: string;
    passwordHash: string;
    session: NewSession;
    audit: AuditRecord;
  }): Promise<void>;
  /** Deletes sessions and links that ended before `now`. */
  prune(now: number): Promise<void>;
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
