import type { ChangeWorkspaceBody, Workspace } from '@hub/contract';
import { type Caller, changeAs, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireAdmin, requireConfirmed } from '../../access/user-rights.ts';
import { serve } from '../../http/operations/serve.ts';
import type { WorkspaceChanges, WorkspaceRecord } from '../../storage/workspace.ts';
import { requireFreeBotName } from '../users/display-names.ts';
import { askAll } from '../users/second-factor.ts';

export function workspaceRoutes(deps: Deps) {
  return serve({
    'GET /workspace': async () => workspaceView(await deps.store.workspace.find()),
    'PATCH /workspace': ({ caller, body }) => changeWorkspace(deps, caller, body),
  });
}

const GUARDED = new Set<string>([
  'membersManageKeys',
  'longestKeyLifetimeDays',
  'secondFactor',
] satisfies (keyof WorkspaceChanges)[]);

/** Changes the workspace's name, the bot's name (which then appears on all of its posts) or the rules for keys. */
function changeWorkspace(deps: Deps, caller: Caller, input: ChangeWorkspaceBody): Promise<Workspace> {
  return changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    const before = await tx.workspace.findToChange();
    const changes: WorkspaceChanges = {
      ...input,
      ...(input.name === undefined ? {} : { name: input.name.trim() }),
      ...(input.botName === undefined ? {} : { botName: input.botName.trim() }),
    };
    const names = Object.keys(changes) as (keyof WorkspaceChanges)[];
    const changed = names.filter((name) => changes[name] !== before[name]);
    if (changed.length === 0) return workspaceView(before);
    if (changed.some((name) => GUARDED.has(name))) await requireConfirmed(tx, current, deps.clock.now());
    await tx.workspace.update(changes);
    if (changes.secondFactor !== undefined) await askAll(tx, deps, changes.secondFactor);
    // After the update, which waits for the transactions that have read the present name of the bot.
    if (changes.botName !== undefined && changes.botName !== before.botName)
      await requireFreeBotName(tx, changes.botName);
    await recordAction(tx, deps, current, {
      action: 'workspace.changed',
      target: { id: null, name: before.name },
      details: { from: Object.fromEntries(names.map((name) => [name, before[name]])), to: changes },
    });
    return workspaceView({ ...before, ...changes });
  });
}

function workspaceView(record: WorkspaceRecord): Workspace {
  const { name, botName, membersManageKeys, longestKeyLifetimeDays, secondFactor } = record;
  return { name, botName, membersManageKeys, longestKeyLifetimeDays, secondFactor };
}
