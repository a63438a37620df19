import type { Me, WorkspaceTopic } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import { hasAttention } from '../../lib/attention.ts';
import { JitteredDebounce } from '../../lib/jittered-debounce.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { Hubs } from '../hubs/hubs.ts';
import { ItemStore } from '../items/item-store.ts';
import { errorMessage, request } from '../request.ts';

export interface Workspace {
  readonly me: Signal<Me>;
  readonly items: ItemStore;
  readonly hubs: Hubs;
}

export function openWorkspace(me: Me, onSignedOut: (text: string) => void): Workspace {
  const items = new ItemStore();
  const hubs = new Hubs({ items, myId: me.id, onSignedOut });
  void hubs.load().catch(() => {
    // The connection reloads the Hubs once it is open.
  });
  return { me: signal(me), items, hubs };
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** Returns the workspace. @throws Error outside the pages of a signed-in user. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('useWorkspace requires a signed-in user');
  return workspace;
}

const KEY = 'hub.workspace';

/** Returns the name of the workspace that this browser remembers; the server tells it only to users. */
export function knownWorkspace(): string | null {
  return readStored(KEY);
}

export function rememberWorkspace(name: string): void {
  writeStored(KEY, name);
}

export type { WorkspaceTopic };

/** Changes in quick succession cause one reload. */
const SOON_MS = 60;

/**
 * Calls `reload` when the data of these topics has changed, and when a change may have been missed: after a lost
 * connection, and after the tab was hidden. `null`: never.
 */
export function useWorkspaceChanges(topics: readonly WorkspaceTopic[] | null, reload: () => void): void {
  const { hubs } = useWorkspace();
  const latest = useRef(reload);
  latest.current = reload;
  const key = topics?.join(' ');

  useEffect(() => {
    if (key === undefined) return;
    const soon = new JitteredDebounce(SOON_MS, () => latest.current());
    const stopTopics = hubs.onWorkspaceChanged((changed) => {
      if (changed.some((topic) => key.split(' ').includes(topic))) soon.schedule();
    });
    const stopLive = hubs.onLive(() => soon.schedule());
    const onVisibility = () => {
      if (document.visibilityState === 'visible') soon.schedule();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      soon.cancel();
      stopTopics();
      stopLive();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [hubs, key]);
}

export type ResourceState<T> =
  | { status: 'loading' }
  | { status: 'ready'; value: T }
  | { status: 'failed'; text: string };

/** A value from the server. The last one stays until a newer one has loaded, even if loading fails. */
export class Resource<T> {
  readonly #load: (stopped: AbortSignal) => Promise<T>;
  readonly #state = signal<ResourceState<T>>({ status: 'loading' });
  readonly state: ReadonlySignal<ResourceState<T>> = this.#state;
  #stop: AbortController | null = null;
  #latest = Promise.resolve();

  constructor(load: (stopped: AbortSignal) => Promise<T>) {
    this.#load = load;
  }

  load(): void {
    if (!this.#stop && this.#state.peek().status !== 'ready') void this.reload();
  }

  /** Loads the value, aborting an earlier load. Resolves when the latest load is over, whether or not it failed. */
  reload(): Promise<void> {
    this.close();
    this.#stop = new AbortController();
    this.#latest = this.#run(this.#stop);
    return this.#latest;
  }

  /** Shows a value from the response to a change. A load under way may return an older one, so it starts over. */
  set(value: T): void {
    this.#state.value = { status: 'ready', value };
    if (this.#stop) void this.reload();
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#latest = Promise.resolve();
  }

  async #run(stop: AbortController): Promise<void> {
    let state: ResourceState<T>;
    try {
      state = { status: 'ready', value: await this.#load(stop.signal) };
    } catch (error) {
      state = { status: 'failed', text: errorMessage(error) };
    }
    if (stop !== this.#stop) return this.#latest;
    this.#stop = null;
    const current = this.#state.peek();
    // The same error is no news: a component that retries when it is rendered would do so forever.
    if (
      state.status === 'ready' ||
      current.status === 'loading' ||
      (current.status === 'failed' && current.text !== state.text)
    ) {
      this.#state.value = state;
    }
  }
}

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
export function useWorkspaceSettings() {
  return useResource((signal) => request('GET /workspace', { signal }), { topics: ['workspace'] }).value ?? null;
}
