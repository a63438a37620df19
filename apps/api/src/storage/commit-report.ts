import type { AuditAction, WorkspaceTopic } from '@hub/contract';
import type { NewPost } from './items.ts';

export interface WorkspaceChange {
  topic: WorkspaceTopic;
  hubId: string | null;
}

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
export type CommitReport = Readonly<Omit<ReturnType<typeof emptyReport>, 'unreadChanges'>> & {
  readonly unreadChanges: readonly UnreadChange[];
};

interface CommitListener {
  committed(report: CommitReport): unknown;
}

/** Passes each commit on to its listeners, in the order in which they were added. */
export class CommitListeners {
  readonly #listeners: CommitListener[] = [];

  add(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  /** Passes on when the leader has something to do, of which any node may learn. */
  readonly onDue = (listener: (at: number) => void): void =>
    this.add({ committed: ({ dueAt }) => dueAt !== null && listener(dueAt) });

  readonly report = (report: CommitReport): void => {
    for (const listener of this.#listeners) listener.committed(report);
  };
}

/** Topics by the first part of an action's name. Other actions change no shared list except the audit log. */
const TOPICS: Readonly<Record<string, readonly WorkspaceTopic[]>> = {
  hub: ['hubs'],
  member: ['hubs', 'users'],
  key: ['keys'],
  posts: ['keys'],
  user: ['users'],
  invitation: ['users'],
  workspace: ['workspace'],
};

/**
 * Collects what followers need to know about a batch. Events and posts are exact; anything else left over from a batch
 * that was lost only causes an unnecessary check.
 */
export class CommitReportBuilder {
  #report = emptyReport();
  #lastEvent: Witness | null = null;
  #lastEntry: Witness | null = null;

  event(hubId: string, seq: number, at: number): void {
    this.#report.heads.set(hubId, seq);
    this.#lastEvent = { hubId, seq, at };
  }

  post(post: CommittedPost): void {
    this.#report.posts.push(post);
  }

  /** Nothing to do: `take` is called next. */
  committed(): void {}

  rolledBack(): void {
    this.#report.heads.clear();
    this.#lastEvent = null;
    this.#report.posts = [];
  }

  /** Must be called by every write that may change what any user can see or do. */
  rightsChanged(): void {
    this.#report.isRightsChanged = true;
  }

  hubsChanged(): void {
    this.#report.isRightsChanged = true;
    this.#report.isHubsChanged = true;
  }

  /** Must be called for every audit entry, and so for every action: it tells which lists have to be reloaded. */
  audited({ id, action, hubId }: { id: string; action: AuditAction; hubId: string | null }): void {
    this.#lastEntry = { auditId: id };
    const topics = TOPICS[action.slice(0, action.indexOf('.'))] ?? ['audit'];
    for (const topic of topics) this.#report.workspaceChanges.push({ topic, hubId });
  }

  unreadChanged(change: UnreadChange): void {
    this.#report.unreadChanges.set(`${change.userId} ${change.hubId}`, change);
  }

  /** Must be called by every write of what becomes due. */
  due(at: number): void {
    this.#report.dueAt = Math.min(at, this.#report.dueAt ?? at);
  }

  /** A row by which to find out later whether the commit took place; `null` if it left nothing of that kind. */
  get witness(): Witness | null {
    const [post] = this.#report.posts;
    return post ? { itemId: post.id } : (this.#lastEvent ?? this.#lastEntry);
  }

  take(): CommitReport {
    const { unreadChanges, ...report } = this.#report;
    this.#report = emptyReport();
    this.#lastEvent = this.#lastEntry = null;
    return { ...report, unreadChanges: [...unreadChanges.values()] };
  }
}

const emptyReport = () => ({
  /** The Hubs that have new events, each with the sequence number of its newest event. */
  heads: new Map<string, number>(),
  posts: [] as CommittedPost[],
  /** Whether anyone's rights may have changed, through a change to a session, an account, a membership or a Hub. */
  isRightsChanged: false,
  /** Whether anyone's list of Hubs has changed, or a name in it. */
  isHubsChanged: false,
  workspaceChanges: [] as WorkspaceChange[],
  unreadChanges: new Map<string, UnreadChange>(),
  /** When the leader has to do something that the commit has added, in milliseconds since 1970; `null`: nothing. */
  dueAt: null as number | null,
});
