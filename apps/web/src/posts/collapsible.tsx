import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { holdPlace, keepPlace } from './hold-place.ts';

/** A post that is only so much longer is not worth a press. */
const SLACK_LINES = 3;

/** What was unfolded stays so, also when it is drawn anew. */
const unfolded = new Set<string>();

export function isUnfolded(name: string): boolean {
  return unfolded.has(name);
}

interface CollapsibleProps {
  /** Of what is folded, to know it again. */
  name: string;
  lines: number;
  /** There is more than what is drawn while it is folded. */
  hasMore: boolean;
  /** Of signals: all that is to be there by now is. */
  isDrawn: () => boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ComponentChildren;
}

/** Shows the first lines, and the rest behind a button. What stands above and in it keeps its place on the screen. */
export function Collapsible({ name, lines, hasMore, isDrawn, isOpen, onToggle, children }: CollapsibleProps) {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const isLong = useIsLong(inner, lines) || hasMore;
  const top = useRef<number | null>(null);
  const toggle = () => {
    top.current = outer.current?.getBoundingClientRect().top ?? null;
    if (isOpen) unfolded.delete(name);
    else unfolded.add(name);
    onToggle(!isOpen);
  };
  useLayoutEffect(() => {
    const before = top.current;
    top.current = null;
    if (!outer.current || before === null) return;
    keepPlace(outer.current, before);
    return isOpen ? holdUntil(isDrawn, holdPlace(outer.current, before)) : undefined;
  }, [isOpen]);
  const isCollapsed = isLong && !isOpen;
  useLayoutEffect(() => {
    outer.current?.style.setProperty('--fold-lines', `${isOpen ? '' : isLong ? lines : lines + SLACK_LINES}`);
  }, [isOpen, isLong, lines]);
  const onScroll = () => {
    // The focus, or a search of the browser, has gone to what is hidden.
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
          {isOpen ? 'Show less' : 'Show all of it'}
        </button>
      )}
    </>
  );
}

/** Measured after each layout, before it is painted. */
function useIsLong(inner: { current: HTMLElement | null }, lines: number): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const element = inner.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => {
      const line = Number.parseFloat(getComputedStyle(element).lineHeight);
      setLong((entry?.contentRect.height ?? 0) > (lines + SLACK_LINES) * line);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [lines]);
  return isLong;
}

/** What came last has its place once it is painted. */
function holdUntil(isDrawn: () => boolean, letGo: () => void): () => void {
  let frame = 0;
  const stop = effect(() => {
    if (isDrawn()) frame = requestAnimationFrame(letGo);
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
    letGo();
  };
}
