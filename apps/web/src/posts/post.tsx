import type { ReadonlySignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { NameFinder } from '../mentions/mentioned-names.ts';
import { collapsedParts } from './collapsed-parts.ts';
import { Collapsible, isUnfolded } from './collapsible.tsx';
import { draw } from './draw.tsx';
import type { PostNode, PostTree } from './post-tree.ts';
import type { ReadPost } from './read-post.ts';
import { useDrawing } from './use-drawing.ts';

/** In the narrowest column a line has about so many characters. */
const SHORT_LINE = 32;

interface PostProps {
  post: ReadonlySignal<ReadPost>;
  findNames: NameFinder | null;
  myId: string;
  /** To remember that it was unfolded. */
  name: string;
  collapseLines: number | undefined;
}

export function Post({ post, findNames, myId, name, collapseLines }: PostProps) {
  const { tree, isReading } = post.value;
  const [isOpen, setOpen] = useState(() => isUnfolded(name));
  const isFoldable = collapseLines !== undefined && (isReading || !isSurelyShort(tree, collapseLines));
  const fewest = collapsedParts(tree);
  const parts = isOpen || !isFoldable ? tree.parts : fewest;
  const upTo = useDrawing(parts);
  const prose = <Prose tree={tree} upTo={upTo} findNames={findNames} myId={myId} isReading={isReading} />;
  if (!isFoldable) return prose;
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
      {tree.isPlain && !isReading && (
        <p class="raw-hint">Too intricate to be laid out, so it is shown as it was sent.</p>
      )}
    </div>
  );
}

/** So that most posts need not be measured. */
function isSurelyShort(tree: PostTree, lines: number): boolean {
  return tree.parts === 0 && maxLines(tree.nodes) <= lines;
}

function maxLines(nodes: readonly PostNode[]): number {
  let most = 0;
  for (const node of nodes) {
    if (typeof node === 'string') most += Math.ceil(node.length / SHORT_LINE) + node.split('\n').length - 1;
    else if ('children' in node) most += (node.is === 'strong' || node.is === 'em' ? 0 : 2) + maxLines(node.children);
    else most += node.is === 'picture' ? 20 : 2;
  }
  return most;
}
