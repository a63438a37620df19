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
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ComponentChildren;
}

/** Shows the first lines, and a button that expands the rest. Content above and in it does not move on the screen. */
export function Collapsible(props: CollapsibleProps) {
  const { name, lines, label = 'Show more', hasMore, isOpen, onToggle, children } = props;
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const isLong = useIsLong(inner, name, lines) || hasMore;
  const toggle = () => {
    if (outer.current) holdRow(outer.current, { isCollapsing: isOpen });
    if (isOpen) expanded.delete(name);
    else expanded.add(name);
    onToggle(!isOpen);
  };
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

/**
 * Asks the feed around an element to keep its row in place while the element changes its height. Elsewhere, only what is
 * below moves.
 */
function holdRow(element: HTMLElement, { isCollapsing = false } = {}): void {
  element.dispatchEvent(new CustomEvent('holdrow', { bubbles: true, detail: isCollapsing }));
}

/** Details that the reader opened or closed stay that way when their post is rendered again. */
const openStates = new WeakMap<DetailsNode, boolean>();

/** Details behind a summary, which does not move on the screen when they open. */
export function Details({ node, children }: { node: DetailsNode; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(openStates.get(node) ?? node.isOpen);
  const choose = (next: boolean) => {
    openStates.set(node, next);
    setOpen(next);
  };
  const onClick = ({ target, currentTarget }: TargetedMouseEvent<HTMLDetailsElement>) => {
    if (target instanceof Element && target.closest('summary')?.parentElement === currentTarget) holdRow(currentTarget);
  };
  const onToggle = (event: TargetedEvent<HTMLDetailsElement>) => choose(event.currentTarget.open);
  return (
    <details open={isOpen} onClick={onClick} onToggle={onToggle}>
      {children}
    </details>
  );
}
