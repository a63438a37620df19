import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useWorkspaceChanges, type WorkspaceTopic } from '../workspace/use-workspace-changes.ts';
import { Resource } from './resource.ts';

interface ResourceOptions {
  /** Identifies what is loaded: another key starts over. */
  key?: string;
  /**
   * Loads again whenever the data of these topics may have changed: also after the connection was lost or the tab
   * hidden, even if there are none. Without this option, the value is loaded once.
   */
  topics?: readonly WorkspaceTopic[] | undefined;
}

/** Loads a value for the time the component is mounted. `value` is undefined until it is loaded. */
export function useResource<T>(load: (stopped: AbortSignal) => Promise<T>, { key = '', topics }: ResourceOptions = {}) {
  const latest = useRef(load);
  latest.current = load;
  const resource = useMemo(() => new Resource<T>((stopped) => latest.current(stopped)), [key]);
  useEffect(() => {
    resource.load();
    return () => resource.close();
  }, [resource]);
  useWorkspaceChanges(topics ?? null, () => void resource.reload());
  const state = resource.state.value;
  return {
    state,
    value: state.status === 'ready' ? state.value : undefined,
    reload: () => resource.reload(),
    /** Shows the value from the response to a change. */
    set: (value: T) => resource.set(value),
  };
}
