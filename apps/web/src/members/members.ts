import type { Member } from '@hub/contract';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { allPages } from '../api/all-pages.ts';
import { errorMessage, path } from '../api/request.ts';
import type { Hubs } from '../hubs/hubs.ts';
import { useWorkspace, type Workspace } from '../workspace/workspace.ts';

/** The members of a Hub, sorted by name. */
export type Members =
  | { status: 'loading' }
  | { status: 'ready'; users: readonly Member[] }
  /** `text`: the error message. */
  | { status: 'failed'; text: string };

const NOBODY: readonly Member[] = [];

/** The members of each requested Hub: loaded once, and again whenever a member is added or removed. */
class MemberLists {
  readonly #lists = new Map<string, Signal<Members>>();
  readonly #active = new Map<string, ReadonlySignal<readonly Member[]>>();
  /** The number of the latest load for each Hub; responses to earlier loads are ignored. */
  readonly #runs = new Map<string, number>();

  constructor(hubs: Hubs, myId: string) {
    hubs.onEvent((frame) => {
      if (!this.#lists.has(frame.hubId)) return;
      if (frame.event === 'member.added') void this.#load(frame.hubId);
      // A member who has been removed can no longer list the members.
      if (frame.event === 'member.removed' && frame.data.id !== myId) void this.#load(frame.hubId);
    });
    let wasLive = true;
    effect(() => {
      const isLive = hubs.connection.value.status === 'live';
      // Changes made while disconnected may never be reported.
      if (isLive && !wasLive) for (const hubId of this.#lists.keys()) void this.#load(hubId);
      wasLive = isLive;
    });
  }

  of(hubId: string): ReadonlySignal<Members> {
    const known = this.#lists.get(hubId);
    if (known && known.peek().status !== 'failed') return known;
    const list = known ?? signal<Members>({ status: 'loading' });
    this.#lists.set(hubId, list);
    void this.#load(hubId);
    return list;
  }

  active(hubId: string): ReadonlySignal<readonly Member[]> {
    const list = this.of(hubId);
    const known = this.#active.get(hubId);
    if (known) return known;
    const active = computed(() => {
      const { value } = list;
      return value.status === 'ready' ? value.users.filter(({ disabledAt }) => disabledAt === null) : NOBODY;
    });
    this.#active.set(hubId, active);
    return active;
  }

  async #load(hubId: string): Promise<void> {
    const list = this.#lists.get(hubId);
    if (!list) return;
    const run = (this.#runs.get(hubId) ?? 0) + 1;
    this.#runs.set(hubId, run);
    let loaded: Members;
    try {
      loaded = { status: 'ready', users: await membersOf(hubId) };
    } catch (error) {
      loaded = list.peek().status === 'ready' ? list.peek() : { status: 'failed', text: errorMessage(error) };
    }
    if (this.#runs.get(hubId) === run) list.value = loaded;
  }
}

/** Loads the members of a Hub, sorted by name, including disabled ones. */
export async function membersOf(hubId: string): Promise<readonly Member[]> {
  const users = await allPages<Member>(path`/hubs/${hubId}/members`);
  return users.sort((one, other) => one.name.localeCompare(other.name));
}

const lists = new WeakMap<Hubs, MemberLists>();

function listsOf({ hubs, me }: Workspace): MemberLists {
  const known = lists.get(hubs) ?? new MemberLists(hubs, me.peek().id);
  lists.set(hubs, known);
  return known;
}

/** Returns the members of a Hub who can be assigned. This excludes disabled ones. */
export function useMembers(hubId: string): Members {
  const workspace = useWorkspace();
  const members = listsOf(workspace).of(hubId).value;
  if (members.status !== 'ready') return members;
  return { status: 'ready', users: activeMembers(workspace, hubId).value };
}

/** Returns all members, including disabled ones; empty until loaded. */
export function useAllMembers(hubId: string): readonly Member[] {
  const members = listsOf(useWorkspace()).of(hubId).value;
  return members.status === 'ready' ? members.users : NOBODY;
}

/** Returns the members who can be mentioned and assigned; empty until loaded. */
export function activeMembers(workspace: Workspace, hubId: string): ReadonlySignal<readonly Member[]> {
  return listsOf(workspace).active(hubId);
}
