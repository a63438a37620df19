import type { ComponentChildren, TargetedEvent, TargetedMouseEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DetailsNode } from '../../lib/posts/post-tree.ts';
import { restorePosition } from './hold-position.ts';

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
