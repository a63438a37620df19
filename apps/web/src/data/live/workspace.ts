import type { Me } from '@hub/contract';
import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { readStored, writeStored } from '../../lib/stored.ts';
import { Hubs } from '../hubs/hubs.ts';
import { ItemStore } from '../items/item-store.ts';

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
