import type { Block, KnownBlock } from '@hub/contract';
import type { ListData, ListItem } from '@hub/contract/blocks/data-schemas';
import { type InlineNode, parseInlineHtml } from '@hub/contract/blocks/inline-html';
import { inlineText } from '@hub/contract/blocks/inline-text';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { inParts } from './in-parts.ts';
import { add, codeBlock, isBlank, type ListNode, NodeBudget, type PostNode, type PostTree } from './post-tree.ts';
import { imageUrl, safeUrl } from './safe-url.ts';

/** Parses Editor.js blocks that the server has accepted. Blocks of unknown types are shown as their text. */
export function readEditorBlocks(blocks: readonly Block[]): PostTree {
  const budget = new NodeBudget();
  return inParts(blocks.flatMap((block) => (isKnown(block) ? readKnown(block, budget) : readUnknown(block))));
}

/** Repeated here, because importing the schemas of the contract would make the first load of the page much larger. */
const KNOWN: ReadonlySet<string> = new Set<KnownBlock['type']>([
  'paragraph',
  'header',
  'list',
  'checklist',
  'quote',
  'code',
  'delimiter',
  'table',
  'warning',
  'image',
]);

function isKnown(block: Block): block is KnownBlock {
  return KNOWN.has(block.type);
}

function readKnown({ type, data }: KnownBlock, budget: NodeBudget): PostNode[] {
  const read = (html: string | null | undefined) => readHtml(html ?? '', budget);
  switch (type) {
    case 'paragraph':
      return unlessBlank(read(data.text), (children) => ({ type: 'paragraph', children }));
    case 'header':
      return unlessBlank(read(data.text), (children) => ({
        type: 'heading',
        level: budget.headingLevel(data.level),
        children,
      }));
    case 'list':
      return data.items.length === 0 ? [] : [readList(data, data.items, budget)];
    case 'checklist':
      return [readList({ style: 'checklist' }, data.items.map(asListItem), budget)];
    case 'quote':
      return readQuote(read(data.text), read(data.caption));
    case 'code':
      return [codeBlock(withoutEscapes(data.code, { keepsColors: true }), null)];
    case 'delimiter':
      return [{ type: 'rule' }];
    case 'table':
      return readTable(data.content, data.withHeadings === true, budget);
    case 'warning':
      return readWarning(read(data.title), read(data.message));
    case 'image':
      return readImage(data.file?.url ?? data.url ?? '', inlineText(data.caption ?? ''));
  }
}

function unlessBlank(children: PostNode[], make: (children: PostNode[]) => PostNode): PostNode[] {
  return isBlank(children) ? [] : [make(children)];
}

function readWarning(title: PostNode[], message: PostNode[]): PostNode[] {
  const head: PostNode[] = isBlank(title) ? [] : [{ type: 'strong', children: title }];
  const children = [...paragraph('paragraph', head), ...paragraph('paragraph', message)];
  return children.length === 0 ? [] : [{ type: 'callout', children }];
}

function paragraph(type: 'caption' | 'paragraph', children: PostNode[]): PostNode[] {
  return unlessBlank(children, (nodes) => ({ type, children: nodes }));
}

function asListItem({ text, checked }: { text: string; checked: boolean }): ListItem {
  return { content: text, meta: { checked } };
}

function readList(
  { style, meta }: Pick<ListData, 'style' | 'meta'>,
  items: readonly (string | ListItem)[],
  budget: NodeBudget,
): ListNode {
  const { start, counterType } = meta ?? {};
  const children = items.map((item): PostNode => {
    const { content, meta: itemMeta, items: nested } = typeof item === 'string' ? { content: item } : item;
    const below = nested && nested.length > 0 ? [readList({ style }, nested, budget)] : [];
    const tick = style === 'checklist' ? { isDone: itemMeta?.checked === true } : {};
    return { type: 'item', ...tick, children: [...readHtml(content, budget), ...below] };
  });
  return {
    type: 'list',
    start: style === 'ordered' ? (start ?? 1) : null,
    ...(counterType && counterType !== 'numeric' ? { counter: counterType } : {}),
    children,
  };
}

function readQuote(text: PostNode[], caption: PostNode[]): PostNode[] {
  const children = [...paragraph('paragraph', text), ...paragraph('caption', caption)];
  return children.length === 0 ? [] : [{ type: 'quote', children }];
}

function readTable(rows: readonly (readonly string[])[], hasHead: boolean, budget: NodeBudget): PostNode[] {
  if (rows.every((row) => row.length === 0)) return [];
  const cells = (row: readonly string[], isHead: boolean): PostNode[] =>
    row.map((html) => ({ type: 'cell', isHead, align: null, children: readHtml(html, budget) }));
  const [head, body] = hasHead ? [rows.slice(0, 1), rows.slice(1)] : [[], rows];
  const bodyRows = body.map((row): PostNode => ({ type: 'row', children: cells(row, false) }));
  return [
    {
      type: 'table',
      children: [
        ...head.map((row): PostNode => ({ type: 'head', children: cells(row, true) })),
        ...(bodyRows.length === 0 ? [] : [{ type: 'body' as const, children: bodyRows }]),
      ],
    },
  ];
}

function readImage(url: string, caption: string): PostNode[] {
  const address = imageUrl(url);
  const text = caption.trim();
  return address === null ? [] : [{ type: 'paragraph', children: [{ type: 'image', address, text }] }];
}

function readUnknown({ type, data }: Block): PostNode[] {
  const texts: string[] = [];
  gatherTexts(data, texts);
  const name = Array.from(type.slice(0, 128)).slice(0, 64).join('');
  return [{ type: 'unsupported', blockType: name, children: [texts.join(' ')] }];
}

/** Collects all strings in order; property names are not text. */
function gatherTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    const text = inlineText(value).trim();
    if (text !== '') texts.push(text);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) gatherTexts(member, texts);
  }
}

const KIND_OF = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'u',
  s: 'del',
  code: 'code',
  mark: 'mark',
} as const;

/** Parses the inline HTML in Editor.js text. */
function readHtml(html: string, budget: NodeBudget): PostNode[] {
  return fromInline(parseInlineHtml(withoutEscapes(html)), budget);
}

function fromInline(inline: readonly InlineNode[], budget: NodeBudget): PostNode[] {
  const nodes: PostNode[] = [];
  for (const node of inline) {
    // In HTML, a line ending is a space; in the tree, it would remain a line ending.
    if (typeof node === 'string') add(nodes, node.replace(/[\r\n\t]+/g, ' '));
    else if (!budget.take(0)) add(nodes, plainText([node]));
    else if (node.tag === 'br') nodes.push({ type: 'break' });
    else if (node.tag !== 'a') nodes.push({ type: KIND_OF[node.tag], children: fromInline(node.children, budget) });
    else {
      const href = safeUrl(node.href);
      const children = fromInline(node.children, budget);
      if (href !== null) nodes.push({ type: 'link', href, children });
      else for (const child of children) add(nodes, child);
    }
  }
  return nodes;
}

function plainText(inline: readonly InlineNode[]): string {
  return inline
    .map((node) => {
      if (typeof node === 'string') return node;
      return node.tag === 'br' ? '\n' : plainText(node.children);
    })
    .join('');
}
