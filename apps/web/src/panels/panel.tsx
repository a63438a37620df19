import X from 'icon:x';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { navigate, withPanel } from '../router/location.ts';

interface PanelProps {
  title: string;
  /** The Hub that it is of. */
  hubName: string;
  children: ComponentChildren;
  /** A composer, or one action. */
  foot?: ComponentChildren;
  /** Beside the button that closes it. */
  tools?: ComponentChildren;
  /** The content scrolls by itself. */
  isScrolledInside?: boolean;
  /** It holds what is read at length. */
  isWide?: boolean;
  /** It stands in for one whose code is not there yet. */
  isAwaited?: boolean;
}

interface StoodIn {
  hadFocus: boolean;
}

/** What stood in for the panel that is drawn in this moment. */
let stoodIn: StoodIn | null = null;

function reveal(to: StoodIn): void {
  stoodIn = to;
  queueMicrotask(() => {
    stoodIn = null;
  });
}

/** The frame of everything that opens beside the page: thread, to-do, note, where a post came from. */
export function Panel(props: PanelProps) {
  const { title, hubName, children, foot, tools, isScrolledInside = false, isWide = false, isAwaited = false } = props;
  const [before] = useState(() => stoodIn);
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (before?.hadFocus && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    if (isAwaited) return () => reveal({ hadFocus: panel.current?.contains(document.activeElement) ?? false });
  }, []);
  const close = () => navigate(withPanel(null));
  useShortcuts([{ keys: 'Escape', does: 'Close the panel', run: close }]);
  return (
    <aside
      class={['panel', isWide && 'is-wide', before && 'no-animation'].filter(Boolean).join(' ')}
      id="panel"
      ref={panel}
      aria-label={title}
    >
      <header class="bar">
        <h2 class="panel-title" tabIndex={-1} ref={heading}>
          {title} <span class="panel-sub">{hubName}</span>
        </h2>
        <div class="bar-end">
          {tools}
          <button class="icon-btn is-small" type="button" aria-label="Close (Esc)" onClick={close}>
            <X />
          </button>
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
