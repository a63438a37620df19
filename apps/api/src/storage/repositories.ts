import type { LinkKind, WireKind } from '@hub/contract';
import type { AuditRecord } from './audit-store.ts';
import type { AvatarRepository } from './avatar-store.ts';
import type { HubReads, WorkspaceChanges, WorkspaceReads } from './hub-store.ts';
import type { ItemReads, ItemRecord, ItemRowKind, NewItem, NewPost } from './item-store.ts';
import type { BlockTime, BlockToSave, KeyListing, KeyReads, KeyRecord, KeyUsageTally } from './key-store.ts';
import type { NotificationRepository } from './notification-store.ts';
import type { PruneRepository } from './prune-store.ts';
import type { HubRecord } from './records.ts';
import type { RemovalRepository } from './removal-store.ts';
import type {
  LinkRecord,
  MembershipReads,
  MembershipRecord,
  PersonalTokenRecord,
  SessionRecord,
  UserReads,
  UserRecord,
} from './users-store.ts';

/**
 * Reads and writes of a transaction, in one small repository for each noun. They hold no rules: who may do
 * something, and whether it makes sense, is decided by the use case before it writes.
 */
export interface Repositories {
  readonly audit: AuditRepository;
  readonly avatars: AvatarRepository;
  readonly events: EventRepository;
  readonly hubs: HubRepository;
  readonly items: ItemRepository;
  readonly keys: KeyRepository;
  readonly links: LinkRepository;
  readonly memberships: MembershipRepository;
  readonly mentions: MentionRepository;
  readonly notifications: NotificationRepository;
  readonly pruning: PruneRepository;
  readonly removals: RemovalRepository;
  readonly sessions: SessionRepository;
  readonly tokens: TokenRepository;
  readonly users: UserRepository;
  readonly workspace: WorkspaceRepository;
}

export interface AuditRepository {
  insert(entry: AuditRecord): Promise<void>;
}

export interface NewEvent {
  hubId: string;
  at: number;
  event: string;
  itemId: string | null;
  /** The data of the event if it is not about an item. */
  data?: Record<string, unknown>;
  /** The change in the number of items in the Hub. */
  addedItems?: number;
}

/** The state of the Hub after its newest event. */
export interface SequencedHub {
  seq: number;
  deletedAt: number | null;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
}

export interface EventRepository {
  /** Takes the next sequence number of the Hub, and writes the event. Returns `undefined` if there is no such Hub. */
  append(event: NewEvent): Promise<SequencedHub | undefined>;
}

export interface HubRepository extends HubReads {
  insert(hub: HubRecord): Promise<void>;
  update(hubId: string, changes: HubChanges): Promise<void>;
}

export type HubChanges = Partial<Pick<HubRecord, 'name' | 'retentionDays' | 'deletedAt'>>;

export interface ItemRepository extends Pick<ItemReads, 'find'> {
  /**
   * Lists the user who wrote this message, and the users who wrote its newest replies, deleted or not. At most
   * `maxReplies` replies are examined.
   */
  listThreadWriters(messageId: string, maxReplies: number): Promise<string[]>;
  /** Inserts a post, which the counts of its key include from then on, and returns its rank. */
  insertPost(post: NewPost & { seq: number }): Promise<number>;
  /** Inserts an item by a user, and returns its rank. A to-do is open. */
  insert(item: NewItem & { seq: number }): Promise<number>;
  /** If this concerns the search index, it reads the item again. */
  update(item: Pick<ItemRecord, 'id' | 'rank'>, changes: ItemUpdate, at: number): Promise<void>;
  /** Updates the number of replies to a message, and the time of the newest. */
  countReplies(messageId: string, added: 1 | -1): Promise<void>;
  /** Undoing a removal no longer restores this item. Returns false if no removal has deleted it. */
  leaveRemoval(itemId: string): Promise<boolean>;
  insertReaction(reaction: ReactionRecord & { at: number }): Promise<void>;
  deleteReaction(reaction: ReactionRecord): Promise<void>;
}

/** Fields of an item that can change; omitted ones are kept. */
export type ItemUpdate = Partial<
  Pick<
    ItemRecord,
    | 'title'
    | 'body'
    | 'blocks'
    | 'dueAt'
    | 'priority'
    | 'status'
    | 'assigneeId'
    | 'finishedAt'
    | 'finishedById'
    | 'conversionId'
    | 'conversionKind'
    | 'version'
    | 'editedAt'
    | 'editedByKind'
    | 'editedById'
    | 'deletedAt'
  >
>;

export interface ReactionRecord {
  itemId: string;
  emoji: string;
  personId: string;
}

export interface KeyRepository extends KeyReads {
  /** Returns the key if its validity may have changed since the server started, otherwise `null`. */
  findIfChanged(keyId: string): Promise<KeyListing | null>;
  /** Counts the keys of a Hub that are valid at `at` and have no successor. */
  countActive(hubId: string, at: number): Promise<number>;
  insert(key: KeyRecord, tokenHash: Uint8Array): Promise<void>;
  update(keyId: string, changes: KeyChanges): Promise<void>;
  /** Saves when a block ends. */
  saveBlock(block: BlockToSave, time: BlockTime): Promise<void>;
  /** Counts a block in the usage of the key on this day. */
  countBlock(keyId: string, at: number): Promise<void>;
  /** Adds the requests since the last call. Posts are counted when they are inserted, exactly. */
  addUsage(tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void>;
}

export type KeyChanges = Partial<Pick<KeyRecord, 'successorId' | 'overlapEndsAt' | 'revokedAt'>>;

export interface MembershipRepository extends MembershipReads {
  /** Lists the members of a Hub whose accounts are not disabled. */
  listActive(hubId: string): Promise<{ id: string; name: string }[]>;
  insert(membership: MembershipRecord): Promise<void>;
  delete(hubId: string, personId: string): Promise<void>;
  /** Saves the read marks of this member. */
  saveMarks(membership: MembershipRecord): Promise<void>;
  /** Returns the newest rank across all Hubs: anything added to any Hub later has a higher one. */
  newestRank(): Promise<number>;
  /**
   * Returns the highest rank of the items of this kind in the Hub that were announced by the event `seq` or earlier
   * ones. The search starts at the rank `from`, which must not be higher than the result.
   */
  rankUpTo(kind: WireKind, query: { hubId: string; seq: number; from: number }): Promise<number>;
}

/** The item of a mention. */
export interface MentioningItem {
  rank: number;
  id: string;
  hubId: string;
  kind: ItemRowKind;
}

export interface MentionRecord {
  personId: string;
  /** Whether the text of the item mentions the user. */
  isNamed: boolean;
  /** Whether the item is a reply in a thread that the user takes part in. */
  hasResponse: boolean;
}

export interface MentionRepository {
  /** Lists the users whom this item concerns. */
  list(itemId: string): Promise<MentionRecord[]>;
  /** Returns the rank of an item if it concerns this user, otherwise `null`. */
  findRank(mention: { personId: string; itemId: string }): Promise<number | null>;
  insert(item: MentioningItem, mention: MentionRecord & { isUnread: boolean }): Promise<void>;
  /** Changes whether the text of the item mentions the user. */
  setNamed(mention: { personId: string; itemId: string; isNamed: boolean }): Promise<void>;
  delete(item: MentioningItem, personId: string): Promise<void>;
  /** Marks all mentions of and replies to this user in a Hub as read. */
  markHub(marked: { personId: string; hubId: string }): Promise<void>;
  /** Marks mentions of one kind in a Hub as read, up to this rank. Replies are marked in their threads. */
  markKind(marked: { personId: string; hubId: string; kind: WireKind; rank: number }): Promise<void>;
  /** Marks these items as read; ignores those that do not concern the user. */
  markRead(marked: { personId: string; itemIds: readonly string[] }): Promise<void>;
  /** Marks everything up to this rank as read, in all Hubs. */
  markReadUpTo(marked: { personId: string; rank: number }): Promise<void>;
  /** Marks a message in this Hub as read, and the replies to it up to this event. */
  markThreadRead(marked: { personId: string; hubId: string; messageId: string; seq: number }): Promise<void>;
}

export interface UserRepository extends UserReads {
  /** Every e-mail address has at most one account. */
  insert(user: UserRecord, passwordHash: string): Promise<void>;
  update(personId: string, changes: UserChanges): Promise<void>;
}

export type UserChanges = Partial<
  Pick<UserRecord, 'name' | 'role' | 'disabledAt' | 'lastSeenAt'> & { passwordHash: string }
>;

export interface SessionRepository {
  find(sessionId: string): Promise<SessionRecord | null>;
  insert(session: SessionRecord, tokenHash: Uint8Array): Promise<void>;
  update(sessionId: string, changes: SessionChanges): Promise<void>;
  delete(sessionId: string): Promise<void>;
  deleteByTokenHash(tokenHash: Uint8Array): Promise<void>;
  deleteAllOf(personId: string): Promise<void>;
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
  countValid(personId: string, at: number): Promise<number>;
  insert(token: PersonalTokenRecord, tokenHash: Uint8Array): Promise<void>;
  update(tokenId: string, changes: TokenChanges): Promise<void>;
  delete(tokenId: string): Promise<void>;
  deleteAllOf(personId: string): Promise<void>;
}

export type TokenChanges = Partial<Pick<PersonalTokenRecord, 'lastUsedAt' | 'lastUsedAddress'>>;

/** Setup, invitation and password-reset links that can still be used. */
export interface LinkRepository {
  find(linkId: string): Promise<LinkRecord | null>;
  insert(link: LinkRecord, tokenHash: Uint8Array): Promise<void>;
  delete(linkId: string): Promise<void>;
  deleteMatching(filter: LinkFilter): Promise<void>;
  /** Deletes the invitations and reset links that this user has created. */
  deleteCreatedBy(personId: string): Promise<void>;
  /** Deletes the links that ended at `now` or earlier. */
  deleteExpired(now: number): Promise<void>;
}

/** Links of one kind: all, or those for this address or user. */
export interface LinkFilter {
  kind: LinkKind;
  email?: string;
  personId?: string;
}

export interface WorkspaceRepository extends WorkspaceReads {
  update(changes: WorkspaceChanges): Promise<void>;
}
