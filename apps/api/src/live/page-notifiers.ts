import { LIMITS, type ServerFrame, type UnreadState, type WorkspaceTopic } from '@hub/contract';
import { isAdmin } from '../access/caller.ts';
import type { Deps } from '../access/deps.ts';
import { oneAtATime } from '../platform/repeat.ts';
import type { UnreadChange, WorkspaceChange } from '../storage/commit-report.ts';
import { mutedKeyIds, readState } from '../workspace/hubs/mark-read.ts';
import { frame } from './live-frames.ts';
import type { LiveSocket } from './live-socket.ts';
import { CommittedRights, inTurns } from './rights-watch.ts';

type NotifierDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/** Tells connected users which lists of the workspace to reload, if they may load them. It sends no content. */
export class WorkspaceNotifier {
  readonly #changes: WorkspaceChange[] = [];
  readonly #send = oneAtATime(() => this.#sendChanges());

  constructor(
    private readonly deps: NotifierDeps,
    private readonly sockets: ReadonlySet<LiveSocket>,
  ) {}

  /** Sends the changes of a commit. Changes that arrive while it is sending are sent together afterwards. */
  report(changes: readonly WorkspaceChange[]): void {
    this.#changes.push(...changes);
    void this.#send();
  }

  async #sendChanges(): Promise<void> {
    try {
      await this.#sendOnce(this.#changes.splice(0));
    } catch (err) {
      // A page that missed the frame is up to date the next time it loads.
      this.deps.log.error({ err }, 'Failed to announce a workspace change');
    }
  }

  async #sendOnce(changes: readonly WorkspaceChange[]): Promise<void> {
    const { clock, store } = this.deps;
    const rights = new CommittedRights(store);
    const { membersManageKeys } = await store.workspace.find();
    await inTurns(this.sockets, clock, async (socket) => {
      const topics = new Set<WorkspaceTopic>();
      for (const change of changes) {
        if (!topics.has(change.topic) && (await mayLoad(socket, change, { rights, membersManageKeys }))) {
          topics.add(change.topic);
        }
      }
      if (topics.size > 0) socket.send(frame({ type: 'workspace.changed', topics: [...topics] }));
    });
  }
}

/** Members see the keys of their Hubs only if this workspace lets members manage keys. They never see the audit log. */
async function mayLoad(
  { caller }: LiveSocket,
  { topic, hubId }: WorkspaceChange,
  { rights, membersManageKeys }: { rights: CommittedRights; membersManageKeys: boolean },
): Promise<boolean> {
  if (caller.user === null || isAdmin(caller)) return true;
  if (topic === 'audit') return false;
  if (topic !== 'keys') return true;
  return membersManageKeys && hubId !== null && rights.isMember(caller.user.id, hubId);
}

/** How many times to count before sending slightly outdated counts. In a busy Hub, the next change sends newer ones. */
const MAX_TRIES = 3;

interface UnreadNotifierDeps extends Pick<Deps, 'store' | 'log'> {
  live: {
    hasPage(userId: string): boolean;
    report(userId: string, toSend: Extract<ServerFrame, { type: 'unread' }>): number;
  };
}

/** Sends a user's unread counts to all of their pages when they have read a Hub or a new item concerns them. */
export class UnreadNotifier {
  constructor(private readonly deps: UnreadNotifierDeps) {}

  /** Called after each commit, once its events are published. */
  report(changes: readonly UnreadChange[]): void {
    for (const change of changes) if (this.deps.live.hasPage(change.userId)) void this.#send(change);
  }

  async #send(change: UnreadChange): Promise<void> {
    const { live, log } = this.deps;
    try {
      const unread = await this.#read(change);
      if (unread) live.report(change.userId, { type: 'unread', ...unread });
    } catch (err) {
      // A page that missed the frame gets the counts when it next loads the Hubs.
      log.error({ err }, 'Failed to send unread counts');
    }
  }

  /** Counts are sent with the number of the last counted event, and read again if another one arrives meanwhile. */
  async #read({ userId, hubId }: UnreadChange, triesLeft = MAX_TRIES): Promise<UnreadState | null> {
    const { store } = this.deps;
    const [hub, membership] = [await store.hubs.find(hubId), await store.memberships.find(hubId, userId)];
    // A user who has left the Hub gets nothing.
    if (!hub || !membership) return null;
    const muted = await mutedKeyIds(store, userId, hubId);
    const state = await readState(store, membership, muted);
    const unreadMentionIds = await store.mentions.unreadIds({ userId, hubId, limit: LIMITS.unreadCount });
    const isOld = (await store.hubs.find(hubId))?.seq !== hub.seq;
    if (isOld && triesLeft > 1) return this.#read({ userId, hubId }, triesLeft - 1);
    const { isFavorite } = membership;
    return { hubId, seq: hub.seq, isFavorite, mutedKeyIds: muted, ...state, unreadMentionIds };
  }
}
