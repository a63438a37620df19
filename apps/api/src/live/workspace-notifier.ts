import type { WorkspaceTopic } from '@hub/contract';
import { isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import type { WorkspaceChange } from '../storage/commit-report.ts';
import { frame } from './live-frames.ts';
import type { LiveSocket } from './live-socket.ts';
import { CommittedRights } from './rights-watch.ts';

const TURN_MS = 4;

type NotifierDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/**
 * Tells connected users which lists of the workspace to reload. It sends no content, and notifies only users who may
 * load these lists.
 */
export class WorkspaceNotifier {
  readonly #deps: NotifierDeps;
  readonly #sockets: ReadonlySet<LiveSocket>;
  #changes: WorkspaceChange[] = [];
  #isSending = false;

  constructor(deps: NotifierDeps, sockets: ReadonlySet<LiveSocket>) {
    this.#deps = deps;
    this.#sockets = sockets;
  }

  /** Sends the changes of a commit. Changes that arrive while it is sending are sent together afterwards. */
  report(changes: readonly WorkspaceChange[]): void {
    if (changes.length === 0 || this.#sockets.size === 0) return;
    this.#changes.push(...changes);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#changes.length > 0) {
        const changes = this.#changes;
        this.#changes = [];
        await this.#sendOnce(changes);
      }
    } catch (err) {
      // A page that missed the frame is up to date the next time it loads.
      this.#deps.log.error({ err }, 'Failed to announce a workspace change');
    } finally {
      this.#isSending = false;
    }
  }

  async #sendOnce(changes: readonly WorkspaceChange[]): Promise<void> {
    const { clock, store } = this.#deps;
    const rights = new CommittedRights({ store });
    const { membersManageKeys } = await store.workspace.find();
    let end = clock.monotonic() + TURN_MS;
    for (const socket of [...this.#sockets]) {
      const topics = new Set<WorkspaceTopic>();
      for (const change of changes) {
        if (!topics.has(change.topic) && (await mayLoad(socket, change, { rights, membersManageKeys }))) {
          topics.add(change.topic);
        }
      }
      if (topics.size > 0) socket.send(frame({ type: 'workspace.changed', topics: [...topics] }));
      if (clock.monotonic() < end) continue;
      await new Promise((resolve) => setImmediate(resolve));
      end = clock.monotonic() + TURN_MS;
    }
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
