import type { Member } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { path, request } from '../api/request.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface Loaded {
  readonly members: Signal<readonly Member[]>;
  isAsked: boolean;
}

/** Of each workspace, so that nothing of one person is shown to the next who signs in. */
const loaded = new WeakMap<Workspace, Map<string, Loaded>>();

/** Those who belong to a Hub and can sign in: none until the server has answered. They follow who comes and goes. */
export function membersOf(workspace: Workspace, hubId: string): ReadonlySignal<readonly Member[]> {
  let hubs = loaded.get(workspace);
  if (!hubs) {
    hubs = follow(workspace);
    loaded.set(workspace, hubs);
  }
  let known = hubs.get(hubId);
  if (!known) {
    known = { members: signal([]), isAsked: false };
    hubs.set(hubId, known);
  }
  if (!known.isAsked) void load(hubId, known);
  return known.members;
}

function follow({ hubs }: Workspace): Map<string, Loaded> {
  const all = new Map<string, Loaded>();
  hubs.onEvent(({ event, hubId }) => {
    const known = all.get(hubId);
    if (known?.isAsked && /^member\./.test(event)) void load(hubId, known);
  });
  return all;
}

/** What could not be loaded is asked for again by whoever next wants to know. */
async function load(hubId: string, known: Loaded): Promise<void> {
  known.isAsked = true;
  try {
    const members: Member[] = [];
    let before: string | null = null;
    do {
      const page: { items: Member[]; next: string | null } = await request('GET', path`/hubs/${hubId}/members`, {
        query: { before, limit: 100 },
      });
      members.push(...page.items);
      before = page.next;
    } while (before !== null);
    known.members.value = members.filter(({ disabledAt }) => disabledAt === null);
  } catch {
    known.isAsked = false;
  }
}
