import type { ChangeWorkspaceBody, Workspace } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { rememberWorkspace } from '../../session/known-workspace.ts';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../../workspace/workspace.ts';

export type Settings =
  | { status: 'loading' }
  | { status: 'ready'; workspace: Workspace }
  | { status: 'failed'; text: string };

/** The settings of the workspace as they are now, also when another admin changes them. */
export function useSettings() {
  const { me } = useWorkspace();
  const [settings, set] = useState<Settings>({ status: 'loading' });
  const take = (workspace: Workspace) => {
    set({ status: 'ready', workspace });
    const { name } = workspace;
    if (me.peek().workspace.name === name) return;
    me.value = { ...me.peek(), workspace: { name } };
    rememberWorkspace(name);
  };
  const load = async () => {
    try {
      take(await request<Workspace>('GET', '/workspace'));
    } catch (error) {
      // What is shown already is better than a fault in its place.
      set((shown) => (shown.status === 'ready' ? shown : { status: 'failed', text: errorMessage(error) }));
    }
  };
  useEffect(() => void load(), []);
  useWorkspaceChanges(['workspace'], () => void load());
  const change = async (body: ChangeWorkspaceBody) => take(await request<Workspace>('PATCH', '/workspace', { body }));
  return { settings, load, change };
}

export type ChangeSettings = ReturnType<typeof useSettings>['change'];
