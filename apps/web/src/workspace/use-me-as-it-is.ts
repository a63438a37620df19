import type { Me } from '@hub/contract';
import { request } from '../api/request.ts';
import { rememberWorkspace } from '../session/known-workspace.ts';
import { useWorkspaceChanges } from './use-workspace-changes.ts';
import { useWorkspace } from './workspace.ts';

/** Keeps one's own name and role, and the name of the workspace, as they are now: an admin may change them at any time. */
export function useMeAsItIs(): void {
  const { me } = useWorkspace();
  const take = (now: Me) => {
    if (JSON.stringify(now) !== JSON.stringify(me.peek())) me.value = now;
    rememberWorkspace(now.workspace.name);
  };
  useWorkspaceChanges(['people', 'workspace'], () => {
    // Until the next time it stays as it is known.
    request<Me>('GET', '/me').then(take, () => {});
  });
}
