import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { collapsedParts } from '../../lib/posts/collapsed-parts.ts';
import type { NameDivider } from '../../lib/posts/mentioned-names.ts';
import type { PostNode, PostTree } from '../../lib/posts/post-tree.ts';
import type { ReadPost } from '../../lib/posts/read-post.ts';
import { Collapsible, isExpanded } from './collapsible.tsx';
import { type DrawOptions, draw } from './draw.tsx';
import type { Tasks } from './task-box.tsx';

/** About how many characters fit on a line of the narrowest column. */
const SHORT_LINE = 32;

interface PostProps {
  post: ReadonlySignal<ReadPost>;
  findNames: NameDivider | null;
  myId: string;
  /** Null if the reader cannot check tasks. */
  tasks: Tasks | null;
  /** Identifies the post, to remember whether it is expanded. */
  name: string;
  collapseLines: number | undefined;
}

export function Post({ post, findNames, myId, tasks, name, collapseLines }: PostProps) {
  const { tree, isReading } = post.value;
  const [isOpen, setOpen] = useState(() => isExpanded(name));
  const isCollapsible = collapseLines !== undefined && (isReading || !isSurelyShort(tree, collapseLines));
  const fewest = collapsedParts(tree);
  const parts = isOpen || !isCollapsible ? tree.parts : fewest;
  const upTo = useDrawing(parts);
  const options = { upTo, findNames, myId, tasks };
  const prose = <Prose tree={tree} options={options} isReading={isReading} />;
  if (!isCollapsible) return prose;
  return (
    <Collapsible
      name={name}
      lines={collapseLines}
      hasMore={isReading || tree.parts > fewest}
      isDrawn={() => upTo.value >= parts}
      isOpen={isOpen}
      onToggle={setOpen}
    >
      {prose}
    </Collapsible>
  );
}

function Prose({ tree, options, isReading }: { tree: PostTree; options: DrawOptions; isReading: boolean }) {
  const { findNames, myId, tasks } = options;
  const elements = useMemo(() => draw(tree.nodes, options), [tree, findNames, myId, tasks]);
  return (
    <div class="prose" aria-busy={isReading}>
      {elements}
      {tree.isInvisible && <p class="raw-hint">This text has nothing to display.</p>}
      {tree.isPlain && !isReading && <p class="raw-hint">Too complex to display, so it’s shown as sent.</p>}
    </div>
  );
}

/** Lets most posts skip the measurement. */
function isSurelyShort(tree: PostTree, lines: number): boolean {
  return tree.parts === 0 && maxLines(tree.nodes) <= lines;
}

function maxLines(nodes: readonly PostNode[]): number {
  let total = 0;
  for (const node of nodes) {
    if (typeof node === 'string') total += Math.ceil(node.length / SHORT_LINE) + node.split('\n').length - 1;
    else if ('children' in node)
      total += (node.type === 'strong' || node.type === 'em' ? 0 : 2) + maxLines(node.children);
    else total += node.type === 'image' ? 20 : 2;
  }
  return total;
}

/** How many parts are drawn in the first frame. The others follow, one per frame. */
const FIRST_PARTS = 2;

/** Returns how many of the parts should be drawn by now. */
function useDrawing(parts: number): ReadonlySignal<number> {
  const upTo = useSignal(Math.min(parts, FIRST_PARTS));
  useLayoutEffect(() => {
    let frame = 0;
    upTo.value = Math.max(upTo.peek(), Math.min(parts, FIRST_PARTS));
    const more = () => {
      if (upTo.peek() >= parts) return;
      upTo.value += 1;
      frame = requestAnimationFrame(more);
    };
    frame = requestAnimationFrame(more);
    return () => cancelAnimationFrame(frame);
  }, [parts]);
  return upTo;
}
