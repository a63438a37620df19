import { X } from 'icons';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { closePanel } from '../../lib/router/location.ts';
import { IconButton } from '../button.tsx';
import { useIsSlow } from '../page/load-states.tsx';

interface PanelProps {
  title: string;
  hubName: string;
  children: ComponentChildren;
  /** A composer or an action, below the content. */
  foot?: ComponentChildren;
  tools?: ComponentChildren;
  /** Whether the content scrolls on its own. */
  isScrolledInside?: boolean;
  /** Whether it is wide enough for long text. */
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
  useShortcuts([{ keys: 'Escape', does: 'Close the panel', run: closePanel }]);
  return (
    <aside
      class={['panel', isWide && 'is-wide', before && 'no-animation'].filter(Boolean).join(' ')}
      id="panel"
      ref={panel}
      aria-label={title}
    >
      <header class="bar">
        <h2 class="panel-title cut" tabIndex={-1} ref={heading}>
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

/** The skeleton of a panel: a title and some text. */
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
