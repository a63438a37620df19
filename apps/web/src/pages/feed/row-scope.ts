import type { Item, Message } from '@hub/contract';
import { type Signal, signal, useComputed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The overlay that is open over the rows: at most one at a time. */
export type Overlay =
  /** Positioned at `opener`; on close the focus goes to `returnTo`. */
  | { kind: 'emoji'; message: Message; opener: HTMLElement; returnTo: HTMLElement }
  | { kind: 'menu'; message: Message; opener: HTMLElement }
  | { kind: 'deletion'; message: Message }
  /** The message has no line that could be a title, or is too long for a to-do or note. */
  | { kind: 'title'; message: Message; to: 'todo' | 'note'; text: string };

/** A group of rows: a conversation, a thread or the Stream. One of them is selected by keys or by a tap. */
export interface RowScope {
  readonly kind: 'conversation' | 'thread' | 'stream';
  readonly chosen: Signal<string | null>;
  /** The message that is being edited. */
  readonly editing: Signal<string | null>;
  /** The message being edited from the composer, which gets the focus back afterwards. */
  editedFromComposer: string | null;
  readonly overlay: Signal<Overlay | null>;
  /** The ids of the rows that can be selected, from top to bottom. */
  ids: () => readonly string[];
  root: () => HTMLElement | null;
  /** Scrolls a row into view, so that it is drawn and can be focused. */
  reveal: (id: string) => void;
  toNewest: () => void;
  /** Returns the row below the "New" divider, where `j` starts. */
  firstNew: () => string | undefined;
  /** Opens an item when Enter is pressed. If omitted, Enter opens its thread. */
  open?: (item: Item) => void;
}

export function newRowScope(kind: RowScope['kind']): RowScope {
  return {
    kind,
    chosen: signal(null),
    editing: signal(null),
    editedFromComposer: null,
    overlay: signal(null),
    ids: () => [],
    root: () => null,
    reveal: () => {},
    toNewest: () => {},
    firstNew: () => undefined,
  };
}

export const RowScopeContext = createContext<RowScope | null>(null);

/** Returns the scope of a row; `null` where rows are read-only. */
export function useRowScope(): RowScope | null {
  return useContext(RowScopeContext);
}

/** The content of a row, without its buttons; of long code only its name. */
const CONTENT =
  '.prose > :not(.code), .prose > .code > pre > code, .prose > .code > .collapsible pre, .msg-blank, .file, .image-file, .note, .todo-card';

/** The rows that have tools. The last one shows them: it was pointed at, focused or selected after the others. */
const withTools = signal<readonly object[]>([]);

/**
 * Returns whether a row has tools and shows them, and the handlers that find out: only the row under the pointer, with
 * the focus, the selection or an open menu has tools. Those of all rows would be half of what is drawn, and of what a
 * screen reader finds.
 */
export function useRowTools(scope: RowScope | null, id: string) {
  const [isPointed, setPointed] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isCurrent = useComputed(() => scope?.chosen.value === id).value;
  const hasOverlay = useComputed(() => scope?.overlay.value?.message.id === id).value;
  const row = useRef({}).current;
  const hasTools = isCurrent || isPointed || hasFocus || hasOverlay;
  useLayoutEffect(() => {
    if (!hasTools) return;
    withTools.value = [...withTools.peek(), row];
    return () => {
      withTools.value = withTools.peek().filter((other) => other !== row);
    };
  }, [isCurrent, isPointed, hasFocus, hasOverlay]);
  return {
    isCurrent,
    hasTools,
    showsTools: useComputed(() => withTools.value.at(-1) === row).value,
    handlers: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocusIn: ({ currentTarget: row }: { currentTarget: HTMLElement }) => {
        // Screen readers say the name of a row that gets the focus, and then what it describes.
        row.ariaDescribedByElements = [...row.querySelectorAll(CONTENT)];
        setFocus(true);
      },
      // A menu over the row gives the focus back to its button.
      onFocusOut: () => setFocus(scope?.overlay.peek()?.message.id === id),
    },
  };
}

export function rowElement(scope: RowScope, id: string): HTMLElement | null {
  return scope.root()?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null;
}
