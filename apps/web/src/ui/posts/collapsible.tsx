import { effect } from '@preact/signals';
import type { ComponentChildren, TargetedEvent, TargetedMouseEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DetailsNode } from '../../lib/posts/post-tree.ts';

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

/**
 * Scrolls so that an element is back at its previous position on the screen. Feeds stay at their end, so an element
 * that grows within them would push everything above it upward.
 */
function restorePosition(element: HTMLElement, top: number): void {
  const moved = element.getBoundingClientRect().top - top;
  const scroller = Math.abs(moved) > 0.5 ? scrollerOf(element) : null;
  if (scroller) scroller.scrollTop += moved;
}

/**
 * Keeps an element at its position on the screen while it grows. After the reader scrolls, the element's new position
 * is kept. Stops when the reader scrolls to `scrollTop` 0, the end of a feed. Returns a function that stops it earlier.
 */
function holdPosition(element: HTMLElement, top: number): () => void {
  const scroller = scrollerOf(element);
  let latest = top;
  let scrolledTo = scroller?.scrollTop;
  const onScroll = () => {
    // Scrolling done here rounds to whole pixels: following it would let the element drift by the fractions.
    if (scroller?.scrollTop === scrolledTo) return;
    if (scroller?.scrollTop === 0) stop();
    latest = element.getBoundingClientRect().top;
  };
  const stop = () => {
    growth.disconnect();
    scroller?.removeEventListener('scroll', onScroll);
  };
  // This observer runs after the feed's, which is older, and so corrects the feed's reaction before the paint.
  const growth = new ResizeObserver(() => {
    restorePosition(element, latest);
    scrolledTo = scroller?.scrollTop;
  });
  growth.observe(element);
  scroller?.addEventListener('scroll', onScroll, { passive: true });
  return stop;
}

function viewTop(element: HTMLElement): number {
  return scrollerOf(element)?.getBoundingClientRect().top ?? 0;
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  let scroller = element.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
  return scroller;
}

/** Details that the reader opened or closed stay that way when their post is rendered again. */
const openStates = new WeakMap<DetailsNode, boolean>();

/** Details behind a summary, which does not move on the screen when they open. */
export function Details({ node, children }: { node: DetailsNode; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(openStates.get(node) ?? node.isOpen);
  const details = useRef<HTMLDetailsElement>(null);
  const top = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (details.current && top.current !== null) restorePosition(details.current, top.current);
    top.current = null;
  }, [isOpen]);
  const choose = (next: boolean) => {
    openStates.set(node, next);
    setOpen(next);
  };
  const onClick = (event: TargetedMouseEvent<HTMLDetailsElement>) => {
    const pressed = event.target instanceof Element ? event.target : null;
    // Links and buttons within the summary keep their own behavior.
    if (pressed?.closest('summary')?.parentElement !== event.currentTarget || pressed.closest('a, button')) return;
    event.preventDefault();
    top.current = event.currentTarget.getBoundingClientRect().top;
    choose(!isOpen);
  };
  // The browser opens them too, for find in page.
  const onToggle = (event: TargetedEvent<HTMLDetailsElement>) => choose(event.currentTarget.open);
  return (
    <details ref={details} open={isOpen} onClick={onClick} onToggle={onToggle}>
      {children}
    </details>
  );
}
