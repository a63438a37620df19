import type { Workspace } from '@hub/contract';
import type { WorkspaceRecord } from '../storage/hub-store.ts';

/** Returns the workspace as every member sees it. */
export function workspaceView(record: WorkspaceRecord): Workspace {
  const { name, botName, membersManageKeys, longestKeyLifetimeDays } = record;
  return { name, botName, membersManageKeys, longestKeyLifetimeDays };
}
