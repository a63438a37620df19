import type { WorkspaceTopic } from '@hub/contract';

/** What lists of the workspace show is another than before; in this Hub, if it is of one. */
export interface WorkspaceChange {
  topic: WorkspaceTopic;
  hubId: string | null;
}

/** This person has read something of this Hub, or something in it is addressed to that person. */
export interface UnreadChange {
  personId: string;
  hubId: string;
}

/** What a commit means for those who follow a Hub. */
export interface CommitReport {
  /** Hubs that have new events. */
  hubIds: readonly string[];
  /** Whether somebody may have lost or won a right: a session, an account, a membership, a Hub. */
  isRightsChanged: boolean;
  /** Whether the list of Hubs of somebody has changed, or a name in it. */
  isHubsChanged: boolean;
  workspaceChanges: readonly WorkspaceChange[];
  unreadChanges: readonly UnreadChange[];
}
