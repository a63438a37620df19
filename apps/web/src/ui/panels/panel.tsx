import { X } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { closePanel, openItemId, route } from '../../lib/router/location.ts';
import { IconButton } from '../button.tsx';
import { useIsSlow } from '../page/load-states.tsx';

interface PanelProps {
  title: string;
  hubName: string;
  children: ComponentChildren;
  foot?: ComponentChildren;
  tools?: ComponentChildren;
  isScrolledInside?: boolean;
  isWide?: boolean;
  /** Whether it is a placeholder while the code of the panel loads. */
  isAwaited?: boolean;
}

interface Placeholder {
  hadFocus: boolean;
}

/** The placeholder that is being replaced right now by the panel. */
let replaced: Placeholder | null = null;

function markReplaced(placeholder: Placeholder): void {
  replaced = placeholder;
  queueMicrotask(() => {
    replaced = null;
  });
}

/** The frame of everything that opens beside the page: a thread, a to-do, a note, or the key of a post. */
export function Panel(props: PanelProps) {
  const { title, hubName, children, foot, tools, isScrolledInside = false, isWide = false, isAwaited = false } = props;
  const [before] = useState(() => replaced);
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (before?.hadFocus && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    if (isAwaited) return () => markReplaced({ hadFocus: panel.current?.contains(document.activeElement) ?? false });
  }, []);
  useShortcuts({ Escape: closePanel });
  return (
    <aside
      class={['panel', isWide && 'is-wide', before && 'no-animation'].filter(Boolean).join(' ')}
      id="panel"
      ref={panel}
      aria-label={title}
    >
      <header class="bar">
        {/* It gets the focus when the panel opens; the title of the item describes it. */}
        <h2 class="panel-title cut" tabIndex={-1} ref={heading} aria-describedby={`panel-${openItemId.value}`}>
          {title} <span class="panel-sub">{hubName}</span>
        </h2>
        <div class="bar-end">
          {tools}
          <IconButton icon={<X />} label="Close" aria-keyshortcuts="Escape" onClick={closePanel} />
        </div>
      </header>
      {isScrolledInside ? (
        <div class="panel-body">{children}</div>
      ) : (
        <div class="panel-scroll" tabIndex={0} role="region" aria-label={`${title}, content`}>
          {children}
        </div>
      )}
      {foot}
    </aside>
  );
}

export function PanelSkeleton({ what }: { what: string }) {
  if (!useIsSlow()) return null;
  return (
    <div class="detail" role="status">
      <span class="sr">Loading {what}</span>
      <div aria-hidden="true">
        <div class="skeleton-line w1" />
        <div class="skeleton-line w2" />
        <div class="skeleton-line w3" />
      </div>
    </div>
  );
}

/** The element of the page behind the panels that was focused last. */
let lastInPage: HTMLElement | null = null;

// A page behind a panel is inert: it loses focus before the panel's effects can see which element had it.
addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest('#panel, dialog, [popover]')) return;
  if (target.closest('.app')) lastInPage = target;
});

/** The elements to try first when the focus moves after the panel closes. */
let nextInFocus: readonly HTMLElement[] = [];

/** When the panel closes because its item was deleted, the first of these rows that still exists gets the focus. */
export function leaveFocusTo(rows: readonly HTMLElement[]): void {
  nextInFocus = rows;
}

/** Focuses a panel when it opens. When it closes, focuses the element that opened it, or another that leads to it. */
export function usePanelFocus(): void {
  const id = openItemId.value;
  const address = id === null ? null : `${id} ${route.value.query.get('show') ?? ''}`;
  const opened = useRef<{ id: string; by: HTMLElement | null } | null>(null);
  useEffect(() => {
    if (id !== null) {
      opened.current = { id, by: lastInPage };
      return whenDrawn(() => {
        const panel = document.querySelector<HTMLElement>('#panel');
        // Leave the focus where the panel has put it, for example in its composer.
        if (panel && !panel.contains(document.activeElement)) focusFirst([panel.querySelector('h2')]);
      });
    }
    const from = opened.current;
    opened.current = null;
    const beside = nextInFocus;
    nextInFocus = [];
    if (from === null) return;
    return whenDrawn(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) focusFirst(focusCandidates(from, beside));
    });
  }, [address]);
}

function* focusCandidates(
  { id, by }: { id: string; by: HTMLElement | null },
  beside: readonly HTMLElement[],
): Generator<Element | null> {
  for (const row of beside) yield 'todo' in row.dataset ? row.querySelector('a') : row;
  yield by;
  yield* waysTo(id);
}

/** Finds substitutes for the opener, which may have been rendered again or be outside the drawn part of a feed. */
function* waysTo(id: string): Generator<Element | null> {
  const name = CSS.escape(id);
  yield document.querySelector(`#main a[href*="open=${name}"]`);
  const row = document.querySelector<HTMLElement>(`#main :is([data-row="${name}"], [data-item="${name}"])`);
  if (row) row.tabIndex = -1;
  yield row;
  yield document.querySelector('#main [role="log"]');
  const head = document.querySelector<HTMLElement>('#main h1');
  if (head) head.tabIndex = -1;
  yield head;
}

function focusFirst(elements: Iterable<Element | null>): void {
  for (const element of elements) {
    if (!(element instanceof HTMLElement) || !element.isConnected) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/** Waits for the next frame, since an element that was inert can be focused only after it is rendered again. */
function whenDrawn(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
