import { hasMentionSign } from '@hub/contract/find-names';
import { alertTitle } from '@hub/contract/markdown/alert-kinds';
import { type ReadonlySignal, useComputed } from '@preact/signals';
import { Check, Info, TriangleAlert } from 'icons';
import type { ComponentChildren, JSX } from 'preact';
import {
  type AlertNode,
  type BoxNode,
  type CellNode,
  type ItemNode,
  type LinkNode,
  type ListNode,
  type PartNode,
  type PostNode,
  textOf,
} from '../../lib/posts/post-tree.ts';
import { otherHost } from '../../lib/posts/safe-url.ts';
import { type NameDivider, shownText } from '../../lib/posts/shown-text.ts';
import { isOurPage } from '../../lib/router/location.ts';
import { lazy } from '../page/lazy.tsx';
import { CodeBlock } from './code-block.tsx';
import { Details } from './collapsible.tsx';
import { TaskBox, type Tasks } from './task-box.tsx';

/** Few posts have images, so they are not part of the first load. */
const PostImage = lazy(async () => (await import('./images.tsx')).PostImage, { around: ({ text }) => text });
const ImageLink = lazy(async () => (await import('./images.tsx')).ImageLink, {
  around: ({ children }) => children(false),
});

/** In characters. Longer inline code may wrap. */
const SHORT_CODE = 24;

export interface DrawOptions {
  /** Parts with a number lower than this are drawn. */
  upTo: ReadonlySignal<number>;
  findNames: NameDivider | null;
  /** Mentions of this user are highlighted. */
  myId: string;
  /** Null if the reader cannot check tasks. */
  tasks: Tasks | null;
  /** Whether names are plain text, as within links and code. */
  isNameless?: boolean;
  /** Within a link: whether its images are shown. */
  showsImages?: boolean;
}

/** Renders the content of a post. Whatever was sent, only the elements and attributes below are produced. */
export function draw(nodes: readonly PostNode[], options: DrawOptions): ComponentChildren[] {
  return nodes.map((node, n) => (typeof node === 'string' ? renderText(node, options) : drawNode(node, options, n)));
}

function drawNode(node: Exclude<PostNode, string>, options: DrawOptions, key: number): JSX.Element | null {
  switch (node.type) {
    case 'part':
      return <Part key={key} node={node} options={options} />;
    case 'break':
      return <br key={key} />;
    case 'rule':
      return <hr key={key} />;
    case 'link':
      return drawLink(node, options, key);
    case 'image':
      return <PostImage key={key} address={node.address} text={node.text} isShown={options.showsImages} />;
    case 'codeBlock':
      return <CodeBlock key={key} {...node} lines={linesOf(node.children, options)} />;
    case 'heading': {
      const Heading = `h${node.level}` as const;
      return <Heading key={key}>{draw(node.children, options)}</Heading>;
    }
    case 'list':
      return drawList(node, options, key);
    case 'item':
      return drawItem(node, options, key);
    case 'cell':
      return drawCell(node, options, key);
    case 'alert':
      return drawAlert(node, options, key);
    case 'details':
      return (
        <Details key={key} node={node}>
          {draw(node.children, options)}
        </Details>
      );
    case 'unsupported':
      return (
        <div class="unsupported" key={key}>
          <span class="block-type">Unsupported block: {shownText(node.blockType)}</span>
          <p>{draw(node.children, options)}</p>
        </div>
      );
    default:
      return drawBox(node, options, key);
  }
}

/** The boxes whose element has another name. */
const ELEMENTS = {
  paragraph: 'p',
  more: 'p',
  raw: 'p',
  caption: 'p',
  quote: 'blockquote',
  lines: 'span',
  body: 'tbody',
  row: 'tr',
} as const;
const CLASSES: Readonly<Record<string, string>> = { more: 'more', raw: 'raw', caption: 'attribution', lines: 'lines' };

const isRenamed = (type: string): type is keyof typeof ELEMENTS => type in ELEMENTS;

function drawBox({ type, children }: BoxNode, options: DrawOptions, key: number): JSX.Element {
  const isCode = type === 'code' || type === 'lines';
  const inside = draw(children, isCode ? { ...options, isNameless: true } : options);
  switch (type) {
    case 'code':
      return (
        <code key={key} {...(textOf(children).length > SHORT_CODE ? { class: 'long' } : {})}>
          {inside}
        </code>
      );
    case 'callout':
      return (
        <div class="callout" key={key}>
          <TriangleAlert />
          <div>{inside}</div>
        </div>
      );
    case 'table':
      return (
        <div class="table-wrap" role="group" aria-label="Table" tabIndex={0} key={key}>
          <table>{inside}</table>
        </div>
      );
    case 'head':
      return (
        <thead key={key}>
          <tr>{inside}</tr>
        </thead>
      );
    default: {
      const Element = isRenamed(type) ? ELEMENTS[type] : type;
      return (
        <Element
          key={key}
          {...(type in CLASSES ? { class: CLASSES[type] } : {})}
          {...(type === 'quote' ? { dir: 'auto' } : {})}
        >
          {inside}
        </Element>
      );
    }
  }
}

function drawLink({ href, children }: LinkNode, options: DrawOptions, key: number): JSX.Element {
  const link = (showsImages?: boolean) => (
    <a
      key={key}
      href={href}
      rel="noopener noreferrer nofollow"
      {...(isOurPage(href) ? {} : ({ target: '_blank' } as const))}
    >
      {draw(children, { ...options, isNameless: true, ...(showsImages === undefined ? {} : { showsImages }) })}
    </a>
  );
  const addresses = imagesIn(children);
  const host = otherHost(href, textOf(children));
  if (host !== null) {
    return (
      <span key={key}>
        {link()} <span class="real-host">({host})</span>
      </span>
    );
  }
  if (addresses.length === 0) return link();
  return (
    <ImageLink key={key} addresses={addresses}>
      {link}
    </ImageLink>
  );
}

function imagesIn(nodes: readonly PostNode[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if ('children' in node) return imagesIn(node.children);
    return node.type === 'image' ? [node.address] : [];
  });
}

function drawAlert({ kind, children }: AlertNode, options: DrawOptions, key: number): JSX.Element {
  return (
    <div class={`callout is-${kind}`} key={key}>
      {kind === 'warning' || kind === 'caution' ? <TriangleAlert /> : <Info />}
      <div>
        <strong>{alertTitle(kind)}</strong>
        {draw(children, options)}
      </div>
    </div>
  );
}

function drawList({ start, counter, children }: ListNode, options: DrawOptions, key: number): JSX.Element {
  if (start !== null) {
    return (
      <ol key={key} style={{ listStyleType: counter }} {...(start === 1 ? {} : { start })}>
        {draw(children, options)}
      </ol>
    );
  }
  const areTasks = children.every(
    (child) => typeof child === 'object' && child.type === 'item' && child.isDone !== undefined,
  );
  return (
    <ul key={key} {...(areTasks ? { class: 'tasks' } : {})}>
      {draw(children, options)}
    </ul>
  );
}

function drawItem({ isDone, task, children }: ItemNode, options: DrawOptions, key: number): JSX.Element {
  if (isDone === undefined) {
    return (
      <li key={key} dir="auto">
        {draw(children, options)}
      </li>
    );
  }
  return (
    <li class="task" dir="auto" key={key}>
      {options.tasks && task !== undefined ? (
        <TaskBox tasks={options.tasks} task={task} isDone={isDone} label={labelOf(children)} />
      ) : (
        <>
          <span class={isDone ? 'tick is-done' : 'tick'} aria-hidden="true">
            {isDone && <Check />}
          </span>
          <span class="sr">{isDone ? 'Done: ' : 'Not done: '}</span>
        </>
      )}
      <div>{draw(children, options)}</div>
    </li>
  );
}

/** Returns the text of a task without that of nested lists. */
function labelOf(children: readonly PostNode[]): string {
  const own = children.filter((child) => typeof child === 'string' || child.type !== 'list');
  return shownText(textOf(own).trim());
}

function drawCell({ isHead, align, children }: CellNode, options: DrawOptions, key: number): JSX.Element {
  const side = align === 'right' ? { class: 'r' } : align === 'center' ? { class: 'm' } : {};
  const inside = draw(children, options);
  return isHead && children.length > 0 ? (
    <th key={key} scope="col" {...side}>
      {inside}
    </th>
  ) : (
    <td key={key} {...side}>
      {inside}
    </td>
  );
}

/** A part of a large post. It is drawn once it is due and stays drawn from then on. */
function Part({ node, options }: { node: PartNode; options: DrawOptions }) {
  const isThere = useComputed(() => options.upTo.value > node.number).value;
  return isThere ? draw(node.children, options) : null;
}

function linesOf(children: readonly PostNode[], options: DrawOptions): ComponentChildren[] | null {
  return children.length === 1 && typeof children[0] === 'string'
    ? null
    : draw(children, { ...options, isNameless: true });
}

function renderText(text: string, { findNames, isNameless, myId }: DrawOptions): ComponentChildren {
  if (findNames === null || isNameless || !hasMentionSign(text)) return shownText(text);
  return findNames(text).map(({ text: piece, userIds }) =>
    userIds === undefined ? (
      shownText(piece)
    ) : (
      <span class={userIds.includes(myId) ? 'mention is-me' : 'mention'}>{shownText(piece)}</span>
    ),
  );
}
