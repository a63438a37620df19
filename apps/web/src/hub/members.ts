import type { Member } from '@hub/contract';
import { type Signal, signal } from '@preact/signals';
import { path, request } from '../api/request.ts';
import { useWorkspace, type Workspace } from '../workspace/workspace.ts';

const NOBODY: readonly Member[] = [];
/** Of each workspace the members of its Hubs, as far as somebody has asked for them. */
const known = new WeakMap<Workspace, Map<string, Signal<readonly Member[]>>>();

/** Who belongs to a Hub; nobody until the answer is there. */
export function useMembers(hubId: string): readonly Member[] {
  return membersOf(useWorkspace(), hubId).value;
}

function membersOf(workspace: Workspace, hubId: string): Signal<readonly Member[]> {
  const hubs = known.get(workspace) ?? new Map<string, Signal<readonly Member[]>>();
  known.set(workspace, hubs);
  const asked = hubs.get(hubId);
  if (asked) return asked;
  const members = signal(NOBODY);
  hubs.set(hubId, members);
  // What they are shown with is there without their names, too; whoever shows it next asks again.
  const ask = () => void load(hubId, members).catch(() => hubs.delete(hubId));
  workspace.hubs.onEvent((event) => {
    const isOfThem = event.event === 'member.added' || event.event === 'member.removed';
    if (isOfThem && event.hubId === hubId && hubs.get(hubId) === members) ask();
  });
  ask();
  return members;
}

async function load(hubId: string, members: Signal<readonly Member[]>): Promise<void> {
  const found: Member[] = [];
  for (let before: string | null = null; ; ) {
    const page: { items: Member[]; next: string | null } = await request('GET', path`/hubs/${hubId}/members`, {
      query: { before, limit: 100 },
    });
    found.push(...page.items);
    before = page.next;
    if (before === null) break;
  }
  members.value = found;
}
