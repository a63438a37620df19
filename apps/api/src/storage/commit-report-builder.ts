import type { AuditAction, WorkspaceTopic } from '@hub/contract';
import type { CommitReport, CommittedPost, UnreadChange, Witness, WorkspaceChange } from './commit-report.ts';

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
 * Collects what followers need to know about the writes in a batch, to be published after the commit. Events and posts are exact;
 * anything else left over from a batch that was lost or retried only causes an unnecessary check.
 */
export class CommitReportBuilder {
  #events: [hubId: string, seq: number, at: number][] = [];
  #posts: CommittedPost[] = [];
  #isRightsChanged = false;
  #isHubsChanged = false;
  #workspaceChanges: WorkspaceChange[] = [];
  #auditId: string | undefined;
  #unreadChanges = new Map<string, UnreadChange>();

  event(hubId: string, seq: number, at: number): void {
    this.#events.push([hubId, seq, at]);
  }

  post(post: CommittedPost): void {
    this.#posts.push(post);
  }

  /** Nothing to do: `take` is called next. */
  committed(): void {}

  rolledBack(): void {
    this.#events = [];
    this.#posts = [];
  }

  /** Must be called by every write that may change what any user can see or do. */
  rightsChanged(): void {
    this.#isRightsChanged = true;
  }

  /** Like `rightsChanged`, for writes that also change anyone's list of Hubs. */
  hubsChanged(): void {
    this.#isRightsChanged = true;
    this.#isHubsChanged = true;
  }

  /**
   * Must be called for every audit entry: it tells which lists of the workspace have to be reloaded. Every action is in
   * the audit log, so none is missed.
   */
  audited({ id, action, hubId }: { id: string; action: AuditAction; hubId: string | null }): void {
    this.#auditId = id;
    const topics = TOPICS[action.slice(0, action.indexOf('.'))] ?? ['audit'];
    for (const topic of topics) this.#workspaceChanges.push({ topic, hubId });
  }

  unreadChanged(change: UnreadChange): void {
    this.#unreadChanges.set(`${change.userId} ${change.hubId}`, change);
  }

  /** A row by which to find out later whether the commit took place; `null` if it left nothing of that kind. */
  get witness(): Witness | null {
    const [post] = this.#posts;
    if (post) return { itemId: post.id };
    const event = this.#events.at(-1);
    if (event) return { hubId: event[0], seq: event[1], at: event[2] };
    return this.#auditId === undefined ? null : { auditId: this.#auditId };
  }

  take(): CommitReport {
    const report = {
      heads: new Map(this.#events as unknown as [string, number][]),
      posts: this.#posts,
      isRightsChanged: this.#isRightsChanged,
      isHubsChanged: this.#isHubsChanged,
      workspaceChanges: this.#workspaceChanges,
      unreadChanges: [...this.#unreadChanges.values()],
    };
    this.#events = [];
    this.#posts = [];
    this.#isRightsChanged = false;
    this.#isHubsChanged = false;
    this.#workspaceChanges = [];
    this.#unreadChanges.clear();
    this.#auditId = undefined;
    return report;
  }
}
