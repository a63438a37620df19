import type { Workspace } from '@hub/contract';
import type { WorkspaceRecord } from '../store/store.ts';

/** The workspace as everyone in it sees it. */
export function workspaceView({ name, botName, membersManageKeys }: WorkspaceRecord): Workspace {
  return { name, botName, membersManageKeys };
}
