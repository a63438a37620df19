import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';
import { useWorkspaceChanges, type WorkspaceTopic } from '../workspace/use-workspace-changes.ts';

export type Fresh<T> = { status: 'loading' } | { status: 'ready'; value: T } | { status: 'failed'; text: string };

/**
 * Returns the result of `load`, and reloads after every change to these topics. The last value stays until a newer one
 * has loaded. A different `key` starts over.
 */
export function useFresh<T>(load: () => Promise<T>, topics: readonly WorkspaceTopic[], key = '') {
  const [fresh, setFresh] = useState<{ key: string; state: Fresh<T> }>({ key, state: { status: 'loading' } });
  const latest = useRef({ load, run: 0 });
  latest.current.load = load;
  const reload = async () => {
    latest.current.run += 1;
    const { run } = latest.current;
    let state: Fresh<T>;
    try {
      state = { status: 'ready', value: await latest.current.load() };
    } catch (error) {
      state = { status: 'failed', text: errorMessage(error) };
    }
    if (run !== latest.current.run) return;
    setFresh((last) =>
      state.status === 'failed' && last.key === key && last.state.status === 'ready' ? last : { key, state },
    );
  };
  useEffect(() => {
    void reload();
    return () => {
      latest.current.run += 1;
    };
  }, [key]);
  useWorkspaceChanges(topics, () => void reload());
  const state: Fresh<T> = fresh.key === key ? fresh.state : { status: 'loading' };
  return { state, reload };
}
