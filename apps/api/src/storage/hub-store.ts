import type { PerKind, WireKind } from '@hub/contract';
import type { PageRequest } from '../core/paging.ts';
import type { hubCountReads } from './counts.ts';
import type { UserRecord } from './users.ts';

export interface HubRecord {
  id: string;
  name: string;
  /** The name as `normalizeName` returns it, which is unique among live Hubs. */
  normalizedName: string;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
  createdAt: number;
  deletedAt: number | null;
  retentionDays: number | null;
}

/** A Hub with the sequence number of its newest event. */
export interface HubListing extends HubRecord {
  seq: number;
}

export type HubFilter = 'live' | 'deleted' | 'all';

export interface HubReads extends ReturnType<typeof hubCountReads> {
  find(hubId: string): Promise<HubListing | null>;
  /** Returns the live Hub with this normalized name. */
  findByName(normalizedName: string): Promise<HubListing | null>;
  /** `memberId`: only the Hubs that this user is a member of. */
  list(page: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]>;
}

export interface HubRepository extends HubReads {
  insert(hub: HubRecord): Promise<void>;
  update(hubId: string, changes: HubChanges): Promise<void>;
}

export type HubChanges = Partial<Pick<HubRecord, 'name' | 'normalizedName' | 'retentionDays' | 'deletedAt'>>;

export interface MembershipRecord {
  hubId: string;
  userId: string;
  joinedAt: number;
  /** How far this user has read each kind: the sequence number of an event. */
  readSeqs: PerKind<number>;
  /** The newest rank when the mark was set. */
  readRanks: PerKind<number>;
  /** How many times the user has set the marks to an item, instead of reading on. */
  readVersion: number;
}

export interface MembershipReads {
  find(hubId: string, userId: string): Promise<MembershipRecord | null>;
  listMembers(page: PageRequest & { hubId: string }): Promise<(MembershipRecord & { user: UserRecord })[]>;
  /** Returns all live Hubs of a user. */
  listHubIds(userId: string): Promise<string[]>;
  /** Counts the items by others after the read marks, each kind up to `limit`. */
  countUnread(membership: MembershipRecord, limit: number): Promise<PerKind<number>>;
}

export interface MembershipRepository extends MembershipReads {
  /** Lists the members of a Hub whose accounts are not disabled. */
  listActive(hubId: string): Promise<{ id: string; name: string }[]>;
  insert(membership: MembershipRecord): Promise<void>;
  delete(hubId: string, userId: string): Promise<void>;
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

export interface WorkspaceRecord {
  botId: string;
  botName: string;
  epoch: string;
  name: string;
  membersManageKeys: boolean;
  longestKeyLifetimeDays: number | null;
}

export interface WorkspaceReads {
  find(): Promise<WorkspaceRecord>;
}

export interface WorkspaceRepository extends WorkspaceReads {
  update(changes: WorkspaceChanges): Promise<void>;
}

export type WorkspaceChanges = Partial<
  Pick<WorkspaceRecord, 'name' | 'botName' | 'membersManageKeys' | 'longestKeyLifetimeDays'>
>;
