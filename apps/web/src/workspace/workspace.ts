import type { Me } from '@hub/contract';
import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Hubs } from '../hubs/hubs.ts';
import { ItemStore } from '../items/item-store.ts';

/** All that the pages of somebody who is signed in work with. */
export interface Workspace {
  readonly me: Signal<Me>;
  readonly items: ItemStore;
  readonly hubs: Hubs;
}

export function openWorkspace(me: Me, onSignedOut: (text: string) => void): Workspace {
  const items = new ItemStore();
  const hubs = new Hubs({ items, myId: me.id, onSignedOut });
  void hubs.load().catch(() => {
    // The connection asks for the Hubs again once it is there.
  });
  return { me: signal(me), items, hubs };
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** @throws Error outside of the pages of somebody who is signed in. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('There is no workspace here: nobody is signed in');
  return workspace;
}
