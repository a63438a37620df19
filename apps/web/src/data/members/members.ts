import type { Member } from '@hub/contract';
import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { byName } from '../../lib/names.ts';
import type { Hubs } from '../hubs/hubs.ts';
import { Resource, type ResourceState, useWorkspace, type Workspace } from '../live/workspace.ts';
import { allPages } from '../request.ts';

const NOBODY: readonly Member[] = [];

interface MemberList {
  all: Resource<readonly Member[]>;
  active: ReadonlySignal<readonly Member[]>;
}

/** The members of each requested Hub: loaded once, and again whenever a member is added or removed. */
class MemberLists {
  readonly #lists = new Map<string, MemberList>();

  constructor(hubs: Hubs, myId: string) {
    hubs.onEvent(({ hubId, event, data }) => {
      // A member who has been removed can no longer list the members.
      if (event === 'member.added' || (event === 'member.removed' && data.id !== myId)) {
        void this.#lists.get(hubId)?.all.reload();
      }
    });
    // Nor are changes reported to a user who is not a member, and may be added again.
    effect(() => {
      for (const hubId of hubs.lost.value.keys()) this.#lists.delete(hubId);
    });
    // Changes made while disconnected may never be reported.
    hubs.onLive(() => {
      for (const { all } of this.#lists.values()) void all.reload();
    });
  }

  of(hubId: string): MemberList {
    const list = this.#lists.get(hubId) ?? newList(hubId);
    this.#lists.set(hubId, list);
    list.all.load();
    return list;
  }
}

function newList(hubId: string): MemberList {
  const all = new Resource((signal) => membersOf(hubId, signal));
  const active = computed(() => {
    const { value } = all.state;
    return value.status === 'ready' ? value.value.filter(({ disabledAt }) => disabledAt === null) : NOBODY;
  });
  return { all, active };
}

/** Loads the members of a Hub, sorted by name, including disabled ones. */
export async function membersOf(hubId: string, signal: AbortSignal): Promise<readonly Member[]> {
  const users = await allPages('GET /hubs/{hubId}/members', { hubId, signal });
  return users.sort(byName);
}

const lists = new WeakMap<Hubs, MemberLists>();

function listsOf({ hubs, me }: Workspace): MemberLists {
  const ofHubs = lists.get(hubs) ?? new MemberLists(hubs, me.peek().id);
  lists.set(hubs, ofHubs);
  return ofHubs;
}

/** Returns the members of a Hub who can be assigned. This excludes disabled ones. */
export function useMembers(hubId: string): ResourceState<readonly Member[]> {
  const { all, active } = listsOf(useWorkspace()).of(hubId);
  return all.state.value.status === 'ready' ? { status: 'ready', value: active.value } : all.state.value;
}

/** Returns all members, including disabled ones; empty until loaded. */
export function useAllMembers(hubId: string): readonly Member[] {
  const state = listsOf(useWorkspace()).of(hubId).all.state.value;
  return state.status === 'ready' ? state.value : NOBODY;
}

/** Returns the members who can be mentioned and assigned; empty until loaded. */
export function activeMembers(workspace: Workspace, hubId: string): ReadonlySignal<readonly Member[]> {
  return listsOf(workspace).of(hubId).active;
}
