import { decodeEntities } from '@hub/contract/blocks/html-entities';
import type { Attributes } from '@hub/contract/blocks/html-tokens';
import { HtmlNesting, hasKnownHtml } from '@hub/contract/markdown/nest-html';
import { type HtmlReader, imageNodes, merged, paragraphs, type ReadContext, trimmed } from './html-nodes.ts';
import { type CellNode, type ItemNode, isBlank, type PostNode, textOf } from './post-tree.ts';
import { safeUrl } from './safe-url.ts';

const BOXES = ['strong', 'em', 'del', 'ins', 'code', 'kbd', 'sub', 'sup'] as const;
const SAME_AS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del' };

export const htmlReader: HtmlReader = {
  nesting: (context) =>
    new HtmlNesting<PostNode>(
      {
        text: (text) => text,
        element: (tag, attributes, children, raw) => elementNodes(tag, attributes, merged(children), { context, raw }),
        hasRoom: (depth) => context.budget.take(context.depth + depth),
      },
      context.names,
    ),
  isKnown: hasKnownHtml,
};

function elementNodes(
  tag: string,
  attributes: Attributes,
  children: PostNode[],
  { context, raw }: { context: ReadContext; raw: string },
): PostNode[] {
  const value = (name: string) => decodeEntities(attributes.get(name) ?? '', context.names?.entities);
  switch (tag) {
    case 'br':
      return [{ type: 'break' }];
    case 'hr':
      return [{ type: 'rule' }];
    case 'img':
      return imageNodes({ address: value('src'), text: value('alt').trim(), raw });
    case 'a':
      return linkNodes(value('href'), children);
    case 'p':
    case 'div':
      return paragraphs(children);
    case 'blockquote':
      return [{ type: 'quote', children: paragraphs(children) }];
    case 'details':
      return [detailsNode(children, attributes.has('open'))];
    case 'summary':
      return [{ type: 'summary', children: trimmed(children) }];
    case 'pre':
      return [codeNode(textOf(children), value('lang'))];
    case 'ul':
      return [{ type: 'list', start: null, children: itemsIn(children) }];
    case 'ol': {
      const start = Math.min(Number.parseInt(value('start'), 10) || 1, 999_999_999);
      return [{ type: 'list', start, children: itemsIn(children) }];
    }
    case 'li':
      return [{ type: 'item', children: trimmed(children) }];
    case 'th':
    case 'td':
      return [{ type: 'cell', isHead: tag === 'th', align: alignOf(value('align')), children: trimmed(children) }];
    case 'tr':
      return partNodes('row', children, isCell);
    case 'thead':
      return partNodes('head', children, isRow);
    case 'tbody':
    case 'tfoot':
      return partNodes('body', children, isRow);
    case 'table':
      return tableNodes(children);
    default: {
      const [, level] = /^h([1-6])$/.exec(tag) ?? [];
      if (level !== undefined)
        return [{ type: 'heading', level: context.budget.headingLevel(Number(level)), children: trimmed(children) }];
      const type = BOXES.find((each) => each === (SAME_AS[tag] ?? tag));
      return type === undefined || children.length === 0 ? children : [{ type, children }];
    }
  }
}

/** Returns only the content of an `a` whose URL is not safe. */
function linkNodes(address: string, children: PostNode[]): PostNode[] {
  const href = safeUrl(address);
  return href === null || isBlank(children) ? children : [{ type: 'link', href, children }];
}

function detailsNode(children: readonly PostNode[], isOpen: boolean): PostNode {
  const at = children.findIndex((node) => typeof node === 'object' && node.type === 'summary');
  const summary = at === -1 ? undefined : children[at];
  const rest = paragraphs(children.filter((_, index) => index !== at));
  return { type: 'details', isOpen, children: [summary ?? { type: 'summary', children: ['Details'] }, ...rest] };
}

function codeNode(text: string, language: string): PostNode {
  const code = text.replace(/^\n/, '').replace(/\n$/, '');
  return { type: 'codeBlock', code, language: language.toLowerCase().slice(0, 32) || null, children: [code] };
}

/** Turns content between the items of a list into items too. */
function itemsIn(children: readonly PostNode[]): PostNode[] {
  return children.flatMap((node): PostNode[] => {
    if (isItem(node)) return [node];
    return isBlank([node]) ? [] : [{ type: 'item', children: [node] }];
  });
}

/** Returns a part of a table, followed by the children that are not allowed in it. */
function partNodes(
  type: 'row' | 'head' | 'body',
  children: readonly PostNode[],
  mayBeIn: (node: PostNode) => boolean,
): PostNode[] {
  return [{ type, children: children.filter(mayBeIn) }, ...children.filter((node) => !mayBeIn(node))];
}

/** The first row is the head if it is in `thead` or consists of `th`. Content between rows goes before the table. */
function tableNodes(children: readonly PostNode[]): PostNode[] {
  const heads = children.filter((node) => typeof node === 'object' && node.type === 'head').flatMap(childrenOf);
  const bodies = children.filter((node) => isRow(node) || (typeof node === 'object' && node.type === 'body'));
  const rows = bodies.flatMap((node) => (isRow(node) ? [node] : childrenOf(node)));
  const all = [...heads, ...rows].map(cellsOf).filter((cells) => cells.length > 0);
  const hasHead = heads.length > 0 || all[0]?.every(({ isHead }) => isHead) === true;
  const [head, body] = hasHead ? [all.slice(0, 1), all.slice(1)] : [[], all];
  const before = paragraphs(children.filter((node) => typeof node === 'string' || !TABLE_PARTS.has(node.type)));
  if (all.length === 0) return before;
  const headCells = (cells: CellNode[]) => cells.map((cell) => ({ ...cell, isHead: true }));
  const parts: PostNode[] = head.map((cells) => ({ type: 'head', children: headCells(cells) }));
  if (body.length > 0)
    parts.push({ type: 'body', children: body.map((cells) => ({ type: 'row', children: cells.map(asBodyCell) })) });
  return [...before, { type: 'table', children: parts }];
}

const TABLE_PARTS: ReadonlySet<string> = new Set(['head', 'body', 'row', 'cell']);

/** Shows a `th` in a body row as strong text. */
function asBodyCell(cell: CellNode): CellNode {
  return cell.isHead ? { ...cell, isHead: false, children: [{ type: 'strong', children: cell.children }] } : cell;
}

function alignOf(written: string): CellNode['align'] {
  const align = written.toLowerCase();
  return align === 'left' || align === 'center' || align === 'right' ? align : null;
}

function cellsOf(row: PostNode): CellNode[] {
  return childrenOf(row).filter(isCell);
}

function childrenOf(node: PostNode): PostNode[] {
  return typeof node === 'object' && 'children' in node ? node.children : [];
}

function isCell(node: PostNode): node is CellNode {
  return typeof node === 'object' && node.type === 'cell';
}

function isItem(node: PostNode): node is ItemNode {
  return typeof node === 'object' && node.type === 'item';
}

function isRow(node: PostNode): boolean {
  return typeof node === 'object' && node.type === 'row';
}
