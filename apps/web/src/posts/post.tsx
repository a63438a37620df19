import type { ReadonlySignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { NameFinder } from '../mentions/mentioned-names.ts';
import { collapsedParts } from './collapsed-parts.ts';
import { Collapsible, isExpanded } from './collapsible.tsx';
import { draw } from './draw.tsx';
import type { PostNode, PostTree } from './post-tree.ts';
import type { ReadPost } from './read-post.ts';
import { useDrawing } from './use-drawing.ts';

/** About how many characters fit on a line of the narrowest column. */
const SHORT_LINE = 32;

interface PostProps {
  post: ReadonlySignal<ReadPost>;
  findNames: NameFinder | null;
  myId: string;
  /** Identifies the post, to remember whether it is expanded. */
  name: string;
  collapseLines: number | undefined;
}

export function Post({ post, findNames, myId, name, collapseLines }: PostProps) {
  const { tree, isReading } = post.value;
  const [isOpen, setOpen] = useState(() => isExpanded(name));
  const isCollapsible = collapseLines !== undefined && (isReading || !isSurelyShort(tree, collapseLines));
  const fewest = collapsedParts(tree);
  const parts = isOpen || !isCollapsible ? tree.parts : fewest;
  const upTo = useDrawing(parts);
  const prose = <Prose tree={tree} upTo={upTo} findNames={findNames} myId={myId} isReading={isReading} />;
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

interface ProseProps {
  tree: PostTree;
  upTo: ReadonlySignal<number>;
  findNames: NameFinder | null;
  myId: string;
  isReading: boolean;
}

function Prose({ tree, upTo, findNames, myId, isReading }: ProseProps) {
  const drawn = useMemo(() => draw(tree.nodes, { upTo, findNames, myId }), [tree, findNames, myId]);
  return (
    <div class="prose" aria-busy={isReading}>
      {drawn}
      {tree.isInvisible && <p class="raw-hint">This text has nothing to display.</p>}
      {tree.isPlain && !isReading && <p class="raw-hint">Too complex to display, so it's shown as sent.</p>}
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
    else if ('children' in node) total += (node.is === 'strong' || node.is === 'em' ? 0 : 2) + maxLines(node.children);
    else total += node.is === 'image' ? 20 : 2;
  }
  return total;
}
