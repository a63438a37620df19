import type { Item, Message } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What is open over the rows: at most one thing at a time. */
export type Overlay =
  /** It stands by its opener, and the focus goes back to where it was. */
  | { kind: 'emoji'; message: Message; opener: HTMLElement; returnTo: HTMLElement }
  | { kind: 'menu'; message: Message; opener: HTMLElement }
  | { kind: 'deletion'; message: Message }
  /** A message without a line that could be a title, or longer than what it is to become may be. */
  | { kind: 'title'; message: Message; to: 'todo' | 'note'; text: string };

/** Rows that belong together: a conversation, a thread, the Stream. One of them is chosen by keys or by a tap. */
export interface RowScope {
  readonly kind: 'conversation' | 'thread' | 'stream';
  readonly chosen: Signal<string | null>;
  /** The message that is being edited. */
  readonly editing: Signal<string | null>;
  /** The message that one began to edit from the composer, to which one goes back. */
  editedFromComposer: string | null;
  readonly overlay: Signal<Overlay | null>;
  /** Whether no rows are coming right now. */
  isQuiet: ReadonlySignal<boolean>;
  /** Those that one can go to, as they stand below each other. */
  ids: () => readonly string[];
  root: () => HTMLElement | null;
  /** Brings a row into view, so that it is there to be focused. */
  reveal: (id: string) => void;
  toNewest: () => void;
  /** What Enter opens, if it is not the thread. */
  open?: (item: Item) => void;
}

export function newRowScope(kind: RowScope['kind']): RowScope {
  return {
    kind,
    chosen: signal(null),
    editing: signal(null),
    editedFromComposer: null,
    overlay: signal(null),
    isQuiet: signal(true),
    ids: () => [],
    root: () => null,
    reveal: () => {},
    toNewest: () => {},
  };
}

export const RowScopeContext = createContext<RowScope | null>(null);

/** Where a row stands; `null` where rows are only looked at. */
export function useRowScope(): RowScope | null {
  return useContext(RowScopeContext);
}

export function rowElement(scope: RowScope, id: string): HTMLElement | null {
  return scope.root()?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null;
}
