import type { Me } from '@hub/contract';
import { rememberWorkspace } from '../known-workspace.ts';
import { request } from '../request.ts';
import { useWorkspaceChanges } from './use-workspace-changes.ts';
import { useWorkspace } from './workspace.ts';

/** Keeps the user's name and role and the workspace name up to date: an admin may change them at any time. */
export function useLiveMe(): void {
  const { me } = useWorkspace();
  const take = (now: Me) => {
    if (JSON.stringify(now) !== JSON.stringify(me.peek())) me.value = now;
    rememberWorkspace(now.workspace.name);
  };
  useWorkspaceChanges(['people', 'workspace'], () => {
    // On failure the known state stays.
    request('GET /me').then(take, () => {});
  });
}
