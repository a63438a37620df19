import type { Item, ItemFile } from '@hub/contract';
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { Download, Paperclip } from 'icons';
import { Fragment } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { activeMembers } from '../../data/members/members.ts';
import { sizeText } from '../../lib/count-text.ts';
import { fileUrl, isImage, isText, linesFor, sizeWithin } from '../../lib/items.ts';
import { collapsedParts } from '../../lib/posts/in-parts.ts';
import type { PostNode, PostTree } from '../../lib/posts/post-tree.ts';
import { type ReadPost, readDraft, readItem, sourceOf } from '../../lib/posts/read-post.ts';
import { type NameDivider, nameDivider, shownText } from '../../lib/posts/shown-text.ts';
import { lazy } from '../page/lazy.tsx';
import { Collapsible, isExpanded } from './collapsible.tsx';
import { type DrawOptions, draw } from './draw.tsx';
import { type Tasks, useTasks } from './task-box.tsx';

/** About how many characters fit on a line of the narrowest column. */
const SHORT_LINE = 32;

interface PostProps {
  post: ReadonlySignal<ReadPost>;
  findNames: NameDivider | null;
  myId: string;
  tasks: Tasks | null;
  /** Identifies the post, to remember whether it is expanded. */
  name: string;
  collapseLines: number | undefined;
}

function Post({ post, findNames, myId, tasks, name, collapseLines }: PostProps) {
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

interface MarkdownProps {
  text: string;
  /** Collapses the text after this many lines; never if omitted. */
  collapseLines?: number;
}

/** A preview of text that has not been posted yet. Mentions are not highlighted. */
export function Markdown({ text, collapseLines }: MarkdownProps) {
  const post = useMemo(() => readDraft(text), [text]);
  return <Post post={post} findNames={null} myId="" tasks={null} name={text} collapseLines={collapseLines} />;
}

/** The formatted content of an item: its blocks or its Markdown, then its files. */
export function PostBody({ item, collapseLines }: { item: Item; collapseLines?: number }) {
  const workspace = useWorkspace();
  const { id, mentions, hubId } = item;
  const source = useMemo(() => sourceOf(item), [item]);
  const post = useMemo(() => readItem(item), [id, source]);
  const tasks = useTasks(item, post);
  const members = mentions.length === 0 ? null : activeMembers(workspace, hubId).value;
  const hasGroups = item.key === null && item.kind === 'message';
  const findNames = useMemo(
    () => (members ? nameDivider(mentions, members, hasGroups) : null),
    [members, mentions.join()],
  );
  const hasText = item.kind === 'message' ? item.text !== null || item.blocks !== null : item.content !== null;
  return (
    <>
      {hasText && (
        <Post
          key={id}
          post={post}
          findNames={findNames}
          myId={workspace.me.value.id}
          tasks={tasks}
          name={id}
          collapseLines={collapseLines}
        />
      )}
      {item.files && <Files files={item.files} />}
    </>
  );
}

const TextFile = lazy(async () => (await import('./text-file.tsx')).TextFile, { around: () => <div class="lines" /> });
const ImageViewer = lazy(async () => (await import('./image-viewer.tsx')).ImageViewer);

/** The largest size of an image on its own, and of one among several, in pixels. */
const [ALONE, AMONG] = [
  { width: 480, height: 320 },
  { width: 220, height: 150 },
];

/** The files of an item: images in boxes of their final size, and a card for any other, with the end of a text. */
function Files({ files }: { files: readonly ItemFile[] }) {
  const [opened, setOpened] = useState<number | null>(null);
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const images = files.filter(isImage).filter(({ id }) => !failed.has(id));
  const others = files.filter((file) => !isImage(file) || failed.has(file.id));
  return (
    <div class="files">
      {images.length > 0 && (
        <div class={images.length > 1 ? 'images is-strip' : 'images'}>
          {images.map((file, index) => (
            <a
              key={file.id}
              class="image-file"
              href={fileUrl(file)}
              target="_blank"
              rel="noopener"
              aria-label={`Open ${shownText(file.name)}`}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                setOpened(index);
              }}
            >
              <img
                src={`${fileUrl(file)}/preview`}
                alt={shownText(file.name)}
                {...sizeWithin(file, images.length === 1 ? ALONE : AMONG)}
                // Without the ratio, the box would take that of the preview, whose size is rounded.
                style={{ aspectRatio: `${file.width} / ${file.height}`, backgroundColor: file.color ?? '' }}
                loading="lazy"
                decoding="async"
                onError={() => setFailed(new Set([...failed, file.id]))}
              />
            </a>
          ))}
        </div>
      )}
      {others.map((file) => (
        <Fragment key={file.id}>
          <a class="file" href={fileUrl(file)} download={file.name}>
            <Paperclip />
            <bdi class="cut">{shownText(file.name)}</bdi>
            <span class="size">{sizeText(file.size)}</span>
            <Download />
          </a>
          {isText(file) && (
            <div class="text-file" style={{ '--lines': linesFor(file) }}>
              <TextFile file={file} />
            </div>
          )}
        </Fragment>
      ))}
      {opened !== null && images[opened] && (
        <ImageViewer files={images} index={opened} onMove={setOpened} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}
