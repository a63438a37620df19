import type { WorkspaceTopic } from '@hub/contract';
import type { NewPost } from './items.ts';

/** A change to the lists of the workspace; it names a Hub if it concerns only that Hub. */
export interface WorkspaceChange {
  topic: WorkspaceTopic;
  hubId: string | null;
}

/** A change to a user's unread items or mentions in a Hub. */
export interface UnreadChange {
  userId: string;
  hubId: string;
}

/** A post, with the sequence number of its event. */
export interface CommittedPost extends NewPost {
  seq: number;
  globalSeq: number;
}

/** A row that no other commit can have written: the item of a post, an event, or an audit entry. */
export type Witness = { itemId: string } | { hubId: string; seq: number; at: number } | { auditId: string };

/** The effects of a commit on followers of Hubs. */
export interface CommitReport {
  /** The posts in this commit, in order, so that followers need not read them again. */
  posts: readonly CommittedPost[];
  /** The Hubs that have new events, each with the sequence number of its newest event. */
  heads: ReadonlyMap<string, number>;
  /** Whether anyone's rights may have changed, through a change to a session, an account, a membership or a Hub. */
  isRightsChanged: boolean;
  /** Whether anyone's list of Hubs has changed, or a name in it. */
  isHubsChanged: boolean;
  workspaceChanges: readonly WorkspaceChange[];
  unreadChanges: readonly UnreadChange[];
}
