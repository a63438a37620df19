import type { Workspace } from '@hub/contract';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { hasAttention } from '../../lib/attention.ts';
import { request } from '../request.ts';
import { Resource } from './resource.ts';
import { useWorkspaceChanges, type WorkspaceTopic } from './use-workspace-changes.ts';

interface ResourceOptions {
  /** Identifies what is loaded: another key starts over. */
  key?: string;
  /**
   * Loads again whenever the data of these topics may have changed: also after the connection was lost or the tab
   * hidden, even if there are none. Without this option, the value is loaded once.
   */
  topics?: readonly WorkspaceTopic[] | undefined;
  /** For data whose changes emit no event: loads again this often, but only while the page is visible. */
  pollMs?: number;
}

/** Loads a value for the time the component is mounted. `value` is undefined until it is loaded. */
export function useResource<T>(load: (stopped: AbortSignal) => Promise<T>, options: ResourceOptions = {}) {
  const { key = '', topics, pollMs } = options;
  const latest = useRef(load);
  latest.current = load;
  const resource = useMemo(() => new Resource<T>((stopped) => latest.current(stopped)), [key]);
  useEffect(() => {
    resource.load();
    return () => resource.close();
  }, [resource]);
  useWorkspaceChanges(topics ?? null, () => void resource.reload());
  const isPolled = pollMs !== undefined && hasAttention.value;
  useEffect(() => {
    if (!isPolled) return;
    if (resource.state.peek().status !== 'loading') void resource.reload();
    const timer = setInterval(() => void resource.reload(), pollMs);
    return () => clearInterval(timer);
  }, [resource, isPolled]);
  const state = resource.state.value;
  return {
    state,
    value: state.status === 'ready' ? state.value : undefined,
    reload: () => resource.reload(),
    set: (value: T) => resource.set(value),
  };
}

/** Returns the current settings of the workspace; `null` until loaded. */
export function useWorkspaceSettings(): Workspace | null {
  return useResource((signal) => request('GET /workspace', { signal }), { topics: ['workspace'] }).value ?? null;
}
