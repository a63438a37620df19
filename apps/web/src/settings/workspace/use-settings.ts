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

/** Returns the settings of the workspace, updated when another admin changes them. */
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
      // Settings that are already shown stay; an error would be worse.
      set((shown) => (shown.status === 'ready' ? shown : { status: 'failed', text: errorMessage(error) }));
    }
  };
  useEffect(() => void load(), []);
  useWorkspaceChanges(['workspace'], () => void load());
  const change = async (body: ChangeWorkspaceBody) => take(await request<Workspace>('PATCH', '/workspace', { body }));
  return { settings, load, change };
}

export type ChangeSettings = ReturnType<typeof useSettings>['change'];
