import type { Actor, LinkKind, PerKind, Role, WireKind } from '@hub/contract';
import type { AuditRecord } from './audit-store.ts';
import type { ByUser } from './state.ts';
import type { HubRecord, PageRequest } from './store.ts';

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

/** Who is behind a session or a personal token, as it is now. Somebody disabled is told as such, not left out. */
export interface UserCredential {
  kind: 'session' | 'token';
  /** Of the session or the token. */
  id: string;
  expiresAt: number | null;
  user: UserRecord;
}

export interface LinkRecord {
  id: string;
  kind: LinkKind;
  /** Of an invitation. */
  email: string | null;
  role: Role | null;
  hubIds: string[];
  /** Of a reset. */
  personId: string | null;
  createdAt: number;
  createdBy: Actor;
  expiresAt: number | null;
}

export interface NewSession {
  session: SessionRecord;
  tokenHash: Uint8Array;
  /** The session with which the person came: signing in ends it. */
  endsTokenHash?: Uint8Array | undefined;
}

export interface NewUser {
  user: UserRecord;
  passwordHash: string;
  /** Hubs to belong to from the start, each with the entry that tells of it; those that are gone are left out. */
  hubs: { hubId: string; audit: AuditRecord }[];
  audit: AuditRecord;
}

/**
 * A change of a person. Without `mayTouchOwners` it is `forbidden` if the person is an owner, as he is at that very
 * moment.
 */
export interface UserChange {
  personId: string;
  mayTouchOwners: boolean;
  audit: AuditRecord;
}

/** Use of sessions and tokens since it was last written down. */
export interface CredentialUse {
  kind: 'session' | 'token';
  id: string;
  personId: string;
  at: number;
  address: string;
  /** The new end of a session. */
  expiresAt: number | null;
}

/**
 * People, their sessions, tokens and links. A rule that must hold whatever happens at once (one account per e-mail
 * address, never without an owner, a link works once) is judged inside the transaction.
 */
export interface UserStore {
  /**
   * Rejects with `conflict` if the e-mail address has an account already, and with `forbidden` if the actor of the audit entry
   * is a person who is no admin at that moment (of an owner: no owner); so do `change` with a role, `enable`, and `createLink`
   * by the maker of the link. An open invitation for that address ends, and
   * with the first owner every set-up link.
   */
  create(newUser: NewUser): Promise<UserRecord>;
  find(personId: string): Promise<UserRecord | null>;
  list(page: PageRequest): Promise<UserRecord[]>;
  /** Whether there is an owner who is not disabled. */
  hasOwner(): Promise<boolean>;
  /**
   * Rejects with `conflict` if nobody would be an owner any more. A new role ends the links to set a new password for
   * this person; a lower one also the links that he has made.
   */
  change(change: UserChange & { name?: string; role?: Role }): Promise<UserRecord | null>;
  /**
   * Ends all sessions and tokens, the reset links for this person and all links that he has made. Disabling a disabled
   * person changes nothing; `conflict` as for `change`.
   */
  disable(change: UserChange & { at: number }): Promise<UserRecord | null>;
  enable(change: UserChange): Promise<UserRecord | null>;

  /** What signing in needs. The address is in lower case. */
  findForSignIn(email: string): Promise<{ user: UserRecord; passwordHash: string } | null>;
  findPasswordHash(personId: string): Promise<string | null>;
  /**
   * Ends all sessions of the person but the new one. Rejects with `conflict` if `formerHash` is not that of the password
   * any more, and with `unauthenticated` if the account was disabled meanwhile or the session with which he came has ended.
   */
  changePassword(
    change: ByUser & {
      personId: string;
      formerHash: string;
      passwordHash: string;
      session: NewSession;
      audit: AuditRecord;
    },
  ): Promise<void>;

  findCredential(tokenHash: Uint8Array, kind: 'session' | 'token'): Promise<UserCredential | null>;
  /** The same by id, for whoever is connected and must be judged again. */
  findCredentialById(id: string, kind: 'session' | 'token'): Promise<UserCredential | null>;
  noteUse(uses: readonly CredentialUse[]): Promise<void>;

  /**
   * Rejects with `unauthenticated` if `passwordHash`, which was found right, is not that of the password any more, or the
   * person was disabled meanwhile.
   */
  createSession(newSession: NewSession & { passwordHash: string; audit: AuditRecord }): Promise<void>;
  /** Those that end after `now`. */
  listSessions(page: PageRequest & { personId: string; now: number }): Promise<SessionRecord[]>;
  /** When the password was last given in this session; `null` if there is no such session. */
  passwordGivenAt(sessionId: string): Promise<number | null>;
  /** Notes that the password was given once more. Rejects with `unauthenticated` if the session has ended. */
  confirmSession(confirmation: { sessionId: string; at: number }): Promise<void>;
  /** The session as it was; `null` if the person has no such session. */
  endSession(change: { personId: string; sessionId: string; audit: AuditRecord }): Promise<SessionRecord | null>;

  /** Rejects with `unauthenticated` if the person was disabled meanwhile, or his session has ended. */
  createToken(
    newToken: ByUser & { token: PersonalTokenRecord; tokenHash: Uint8Array; audit: AuditRecord },
  ): Promise<void>;
  listTokens(page: PageRequest & { personId: string }): Promise<PersonalTokenRecord[]>;
  /** The token as it was; `null` if the person has no such token. */
  revokeToken(change: { personId: string; tokenId: string; audit: AuditRecord }): Promise<PersonalTokenRecord | null>;

  /**
   * A new link takes the place of the former ones of the same kind (and person or e-mail address). Rejects with `conflict`
   * if it would be of no use: there is an owner (set-up), an account (invitation), or the account is disabled (reset).
   */
  createLink(newLink: {
    link: LinkRecord;
    tokenHash: Uint8Array;
    mayTouchOwners: boolean;
    audit: AuditRecord;
  }): Promise<void>;
  findLink(tokenHash: Uint8Array): Promise<LinkRecord | null>;
  listInvitations(page: PageRequest & { now: number }): Promise<LinkRecord[]>;
  /** The invitation as it was; `null` if there is none with this id that ends after `now`. */
  withdrawInvitation(change: { linkId: string; now: number; audit: AuditRecord }): Promise<LinkRecord | null>;
  /**
   * Uses a set-up or invitation link up: the account, its Hubs and its first session, in one step. Rejects with
   * `not_found` if the link was used meanwhile, with `conflict` if there is an owner (set-up) or an account already.
   */
  redeemForUser(redemption: {
    linkTokenHash: Uint8Array;
    newUser: NewUser;
    session: NewSession;
    /** Of a set-up. */
    hub?: { hub: HubRecord; audit: AuditRecord } | undefined;
    workspaceName?: string | undefined;
  }): Promise<UserRecord>;
  /** Uses a reset link up: the new password, all sessions ended but the new one. `not_found` as above. */
  redeemForPassword(redemption: {
    linkTokenHash: Uint8Array;
    personId: string;
    passwordHash: string;
    session: NewSession;
    audit: AuditRecord;
  }): Promise<void>;
  /** Removes sessions and links that ended before `now`. */
  prune(now: number): Promise<void>;
}

export interface MembershipRecord {
  hubId: string;
  personId: string;
  joinedAt: number;
  /** How far this person has read: the number of an event. */
  readSeqs: PerKind<number>;
  /** The rank that the items had by then. */
  readRanks: PerKind<number>;
}

export interface ReadChange {
  hubId: string;
  personId: string;
  seq: number;
  /** Of this kind alone; of all if it is left out. */
  kind?: WireKind | undefined;
}

export interface MembershipStore {
  /** Adding a member who is one changes nothing. `null`: there is no such Hub or person. */
  add(change: { hubId: string; personId: string; at: number; audit: AuditRecord }): Promise<MembershipRecord | null>;
  /** False if it was no member. */
  remove(change: { hubId: string; personId: string; at: number; audit: AuditRecord }): Promise<boolean>;
  find(hubId: string, personId: string): Promise<MembershipRecord | null>;
  listMembers(page: PageRequest & { hubId: string }): Promise<(MembershipRecord & { user: UserRecord })[]>;
  /** All live Hubs of a person. */
  listHubIds(personId: string): Promise<string[]>;
  /** Moves the mark of a kind, or all, forward, never back, and not beyond the newest event. `null`: no member. */
  markRead(change: ReadChange): Promise<MembershipRecord | null>;
  /** Items of others behind the marks, each kind counted up to `limit`. */
  countUnread(membership: MembershipRecord, limit: number): Promise<PerKind<number>>;
}
