import type { CommitReport, UnreadChange, WorkspaceChange } from '../commit-report.ts';

/**
 * What the writes of a batch mean for those who follow. It is told after the commit; what a batch that was lost or run
 * again has noted only makes somebody look once more than needed.
 */
export class CommitNotes {
  #hubIds = new Set<string>();
  #isRightsChanged = false;
  #isHubsChanged = false;
  #workspaceChanges: WorkspaceChange[] = [];
  #unreadChanges = new Map<string, UnreadChange>();

  event(hubId: string): void {
    this.#hubIds.add(hubId);
  }

  /** To be called by every write after which somebody may see or do less, or more, than before. */
  rightsChanged(): void {
    this.#isRightsChanged = true;
  }

  /** The same, where somebody's list of Hubs is another one now. */
  hubsChanged(): void {
    this.#isRightsChanged = true;
    this.#isHubsChanged = true;
  }

  workspaceChanged(change: WorkspaceChange): void {
    this.#workspaceChanges.push(change);
  }

  unreadChanged(change: UnreadChange): void {
    this.#unreadChanges.set(`${change.personId} ${change.hubId}`, change);
  }

  take(): CommitReport {
    const report = {
      hubIds: [...this.#hubIds],
      isRightsChanged: this.#isRightsChanged,
      isHubsChanged: this.#isHubsChanged,
      workspaceChanges: this.#workspaceChanges,
      unreadChanges: [...this.#unreadChanges.values()],
    };
    this.#hubIds.clear();
    this.#isRightsChanged = false;
    this.#isHubsChanged = false;
    this.#workspaceChanges = [];
    this.#unreadChanges.clear();
    return report;
  }
}
