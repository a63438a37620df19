import Check from 'icon:check';
import Info from 'icon:info';
import TriangleAlert from 'icon:triangle-alert';
import { alertTitle } from '@hub/contract/markdown/alert-kinds';
import type { ReadonlySignal } from '@preact/signals';
import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { NameFinder } from '../mentions/mentioned-names.ts';
import { isOurPage } from '../router/location.ts';
import { CodeBlock } from './code-block.tsx';
import { Details } from './details.tsx';
import { Avatar, AvatarLink, LinkedAvatar } from './image.tsx';
import { textOf } from './node-builder.ts';
import type { AlertNode, BoxNode, CellNode, ItemNode, LinkNode, ListNode, PartNode, PostNode } from './post-tree.ts';
import { otherHost } from './safe-address.ts';
import { shownText } from './shown-text.ts';

/** Longer code within a text may be broken at the end of a line. */
const SHORT_CODE = 24;

export interface Drawing {
  /** Parts with a lower number are there. */
  upTo: ReadonlySignal<number>;
  findNames: NameFinder | null;
  /** Marked more than others. */
  myId: string;
  /** Names within links and code name nobody. */
  isNameless?: boolean;
  /** Within a link: whether its pictures are shown. */
  hasAvatars?: boolean;
}

/** What a post says, as elements. Whatever was sent, no other elements and attributes than these come of it. */
export function draw(nodes: readonly PostNode[], how: Drawing): ComponentChildren[] {
  return nodes.map((node, n) => (typeof node === 'string' ? words(node, how) : drawNode(node, how, n)));
}

function drawNode(node: Exclude<PostNode, string>, how: Drawing, key: number): JSX.Element | null {
  switch (node.is) {
    case 'part':
      return <Part key={key} node={node} how={how} />;
    case 'break':
      return <br key={key} />;
    case 'rule':
      return <hr key={key} />;
    case 'link':
      return drawLink(node, how, key);
    case 'picture':
      return how.hasAvatars === undefined ? (
        <Avatar key={key} address={node.address} text={node.text} />
      ) : (
        <LinkedAvatar key={key} address={node.address} text={node.text} isShown={how.hasAvatars} />
      );
    case 'codeBlock':
      return <CodeBlock key={key} code={node.code} language={node.language} lines={linesOf(node.children, how)} />;
    case 'heading': {
      const Heading = `h${node.level}` as const;
      return <Heading key={key}>{draw(node.children, how)}</Heading>;
    }
    case 'list':
      return drawList(node, how, key);
    case 'item':
      return drawItem(node, how, key);
    case 'cell':
      return drawCell(node, how, key);
    case 'alert':
      return drawAlert(node, how, key);
    case 'details':
      return (
        <Details key={key} node={node}>
          {draw(node.children, how)}
        </Details>
      );
    case 'unsupported':
      return (
        <div class="unsupported" key={key}>
          <span class="block-type">Unsupported block: {shownText(node.type)}</span>
          <p>{draw(node.children, how)}</p>
        </div>
      );
    default:
      return drawBox(node, how, key);
  }
}

/** The boxes that are one element each. */
const ELEMENTS = {
  strong: 'strong',
  em: 'em',
  del: 'del',
  u: 'u',
  ins: 'ins',
  mark: 'mark',
  kbd: 'kbd',
  sub: 'sub',
  sup: 'sup',
  summary: 'summary',
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

function drawBox({ is, children }: BoxNode, how: Drawing, key: number): JSX.Element {
  const isCode = is === 'code' || is === 'lines';
  const inside = draw(children, isCode ? { ...how, isNameless: true } : how);
  switch (is) {
    case 'code':
      return (
        <code key={key} {...(textOf(children).length > SHORT_CODE ? { class: 'long' } : {})}>
          {inside}
        </code>
      );
    case 'callout':
      return (
        <div class="callout" key={key}>
          <TriangleAlert size="s" />
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
      const Element = ELEMENTS[is];
      return (
        <Element
          key={key}
          {...(is in CLASSES ? { class: CLASSES[is] } : {})}
          {...(is === 'quote' ? { dir: 'auto' } : {})}
        >
          {inside}
        </Element>
      );
    }
  }
}

function drawLink({ href, children }: LinkNode, how: Drawing, key: number): JSX.Element {
  const link = (hasAvatars?: boolean) => (
    <a
      key={key}
      href={href}
      rel="noopener noreferrer nofollow"
      {...(isOurPage(href) ? {} : ({ target: '_blank' } as const))}
    >
      {draw(children, { ...how, isNameless: true, ...(hasAvatars === undefined ? {} : { hasAvatars }) })}
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
    <AvatarLink key={key} addresses={addresses}>
      {link}
    </AvatarLink>
  );
}

function imagesIn(nodes: readonly PostNode[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if ('children' in node) return imagesIn(node.children);
    return node.is === 'picture' ? [node.address] : [];
  });
}

function drawAlert({ kind, children }: AlertNode, how: Drawing, key: number): JSX.Element {
  return (
    <div class={`callout is-${kind}`} key={key}>
      {kind === 'warning' || kind === 'caution' ? <TriangleAlert size="s" /> : <Info size="s" />}
      <div>
        <strong>{alertTitle(kind)}</strong>
        {draw(children, how)}
      </div>
    </div>
  );
}

function drawList({ start, counter, children }: ListNode, how: Drawing, key: number): JSX.Element {
  if (start !== null) {
    return (
      <ol key={key} class={counter} {...(start === 1 ? {} : { start })}>
        {draw(children, how)}
      </ol>
    );
  }
  const areTasks = children.every(
    (child) => typeof child === 'object' && child.is === 'item' && child.isDone !== undefined,
  );
  return (
    <ul key={key} {...(areTasks ? { class: 'tasks' } : {})}>
      {draw(children, how)}
    </ul>
  );
}

function drawItem({ isDone, children }: ItemNode, how: Drawing, key: number): JSX.Element {
  if (isDone === undefined) {
    return (
      <li key={key} dir="auto">
        {draw(children, how)}
      </li>
    );
  }
  return (
    <li class="task" dir="auto" key={key}>
      <span class={isDone ? 'tick is-done' : 'tick'} aria-hidden="true">
        {isDone && <Check />}
      </span>
      <span class="sr">{isDone ? 'Done: ' : 'Not done: '}</span>
      <div>{draw(children, how)}</div>
    </li>
  );
}

function drawCell({ isHead, align, children }: CellNode, how: Drawing, key: number): JSX.Element {
  const side = align === 'right' ? { class: 'r' } : align === 'center' ? { class: 'm' } : {};
  const inside = draw(children, how);
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

/** Some of a large post: there once its turn has come, and then for good. */
function Part({ node, how }: { node: PartNode; how: Drawing }) {
  const isThere = useComputed(() => how.upTo.value > node.number).value;
  return isThere ? draw(node.children, how) : null;
}

function linesOf(children: readonly PostNode[], how: Drawing): ComponentChildren[] | null {
  return children.length === 1 && typeof children[0] === 'string' ? null : draw(children, { ...how, isNameless: true });
}

function words(text: string, { findNames, isNameless, myId }: Drawing): ComponentChildren {
  if (findNames === null || isNameless || !text.includes('@')) return shownText(text);
  return findNames(text).map(({ text: piece, personId }) =>
    personId === undefined ? (
      shownText(piece)
    ) : (
      <span class={personId === myId ? 'mention is-me' : 'mention'}>{shownText(piece)}</span>
    ),
  );
}
