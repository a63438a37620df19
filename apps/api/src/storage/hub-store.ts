import type { HubRecord, PageRequest } from './records.ts';

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

export type WorkspaceChanges = Partial<
  Pick<WorkspaceRecord, 'name' | 'botName' | 'membersManageKeys' | 'longestKeyLifetimeDays'>
>;

/** A Hub with the sequence number of its newest event. */
export interface HubListing extends HubRecord {
  seq: number;
}

export type HubFilter = 'live' | 'deleted' | 'all';

/** The content of a Hub; `openTodos` is `null` if too many to-dos would have to be examined. */
export interface HubContents {
  members: number;
  notes: number;
  openTodos: number | null;
}

export interface HubReads {
  find(hubId: string): Promise<HubListing | null>;
  /** `memberId`: only the Hubs that this user is a member of. */
  list(page: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]>;
  /** Each count is limited to `max`. */
  countContents(hubId: string, max: number): Promise<HubContents>;
  /** Counts the members up to `max`. */
  countMembers(hubId: string, max: number): Promise<number>;
  /** Counts the keys that are valid at `at` (neither revoked nor expired), up to `max`. */
  countKeys(hubId: string, at: number, max: number): Promise<number>;
  /** Counts the items created before `at`, excluding replies, up to `max`. */
  countOlder(hubId: string, at: number, max: number): Promise<number>;
}
