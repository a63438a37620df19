import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { holdPosition, restorePosition, viewTop } from './hold-position.ts';

/** Posts that exceed the line limit by at most this much are shown whole. */
export const SLACK_LINES = 3;

/** The names of the posts the reader has expanded, which stay expanded when they are rendered again. */
const expanded = new Set<string>();
/** The posts that exceeded a limit, which then have their height at once when they are rendered again. */
const long = new Set<string>();

export function isExpanded(name: string): boolean {
  return expanded.has(name);
}

interface CollapsibleProps {
  /** Identifies the post, to remember whether it is expanded. */
  name: string;
  lines: number;
  /** The label of the button that shows the rest. */
  label?: string;
  /** Whether there is more than what is drawn while collapsed. */
  hasMore: boolean;
  /** Whether everything that should be drawn by now has been drawn. Reads signals. */
  isDrawn: () => boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ComponentChildren;
}

/** Shows the first lines, and a button that expands the rest. Content above and in it does not move on the screen. */
export function Collapsible(props: CollapsibleProps) {
  const { name, lines, label = 'Show more', hasMore, isDrawn, isOpen, onToggle, children } = props;
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const isLong = useIsLong(inner, name, lines) || hasMore;
  const top = useRef<number | null>(null);
  const toggle = () => {
    if (outer.current) {
      const { top: here } = outer.current.getBoundingClientRect();
      // Collapsed, the post would be above the view.
      top.current = isOpen ? Math.max(here, viewTop(outer.current)) : here;
    }
    if (isOpen) expanded.delete(name);
    else expanded.add(name);
    onToggle(!isOpen);
  };
  useLayoutEffect(() => {
    const before = top.current;
    top.current = null;
    if (!outer.current || before === null) return;
    restorePosition(outer.current, before);
    return isOpen ? holdUntil(isDrawn, holdPosition(outer.current, before)) : undefined;
  }, [isOpen]);
  const isCollapsed = isLong && !isOpen;
  useLayoutEffect(() => {
    outer.current?.style.setProperty('--collapsed-lines', `${isOpen ? '' : isLong ? lines : lines + SLACK_LINES}`);
  }, [isOpen, isLong, lines]);
  const onScroll = () => {
    // The focus, or the browser's find in page, has moved into the hidden part.
    if (!outer.current || !isCollapsed || outer.current.scrollTop === 0) return;
    outer.current.scrollTop = 0;
    toggle();
  };
  const state = isOpen ? 'collapsible is-open' : isCollapsed ? 'collapsible is-collapsed' : 'collapsible';
  return (
    <>
      <div class={state} ref={outer} onScroll={onScroll}>
        <div ref={inner}>{children}</div>
      </div>
      {isLong && (
        <button class="expand" type="button" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Show less' : label}
        </button>
      )}
    </>
  );
}

/** Measures after each layout and before the paint. */
function useIsLong(inner: { current: HTMLElement | null }, name: string, lines: number): boolean {
  const key = `${lines} ${name}`;
  const [isLong, setLong] = useState(long.has(key));
  useEffect(() => {
    const element = inner.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => {
      const height = entry?.contentRect.height ?? 0;
      // Not rendered.
      if (height === 0) return;
      const isNowLong = height > (lines + SLACK_LINES) * Number.parseFloat(getComputedStyle(element).lineHeight);
      if (isNowLong) long.add(key);
      else long.delete(key);
      setLong(isNowLong);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [key, lines]);
  return isLong;
}

/** Calls `release` once everything is drawn and painted. */
function holdUntil(isDrawn: () => boolean, release: () => void): () => void {
  let frame = 0;
  const stop = effect(() => {
    if (isDrawn()) frame = requestAnimationFrame(release);
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
    release();
  };
}
