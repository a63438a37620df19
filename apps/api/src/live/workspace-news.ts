import type { WorkspaceTopic } from '@hub/contract';
import { isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { WorkspaceChange } from '../store/commit-report.ts';
import { CommittedRights } from './committed-rights.ts';
import { frame } from './live-frames.ts';
import type { LiveSocket } from './live-socket.ts';

const TURN_MS = 4;

type NewsDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/**
 * Tells those who are connected which lists of the workspace are to be loaded anew. It says no more than that, and only to those
 * who may load them.
 */
export class WorkspaceNews {
  readonly #deps: NewsDeps;
  readonly #sockets: ReadonlySet<LiveSocket>;
  #changes: WorkspaceChange[] = [];
  #isTelling = false;

  constructor(deps: NewsDeps, sockets: ReadonlySet<LiveSocket>) {
    this.#deps = deps;
    this.#sockets = sockets;
  }

  /** Of what was just committed. What comes while others are told goes out in one piece afterwards. */
  report(changes: readonly WorkspaceChange[]): void {
    if (changes.length === 0 || this.#sockets.size === 0) return;
    this.#changes.push(...changes);
    if (!this.#isTelling) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    try {
      while (this.#changes.length > 0) {
        const changes = this.#changes;
        this.#changes = [];
        await this.#tellOnce(changes);
      }
    } catch (err) {
      // Who was not told finds out when he looks again.
      this.#deps.log.error({ err }, 'A change of the workspace could not be told');
    } finally {
      this.#isTelling = false;
    }
  }

  async #tellOnce(changes: readonly WorkspaceChange[]): Promise<void> {
    const { clock, store } = this.#deps;
    const rights = new CommittedRights({ store });
    const { membersManageKeys } = await store.workspace();
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

/** Members see keys only of their Hubs, where the workspace leaves those to them, and the audit log never. */
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
