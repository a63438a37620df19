import type { Block } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { type InlineNode, parseInlineHtml } from '@hub/contract/blocks/inline-html';
import { isKnownBlock, type KnownBlock } from '@hub/contract/blocks/schema';
import { asCode, behind, isBlank, joined, plainLines, withAddress } from './markdown-lines.ts';
import { type Line, type Segment, type Style, styled } from './segments.ts';

type Data<Type extends KnownBlock['type']> = Extract<KnownBlock, { type: Type }>['data'];
type ListItems = Data<'list'>['items'];

/**
 * Formats Editor.js blocks as lines for the terminal, in the style of Markdown. Code and text are shown literally
 * rather than parsed as Markdown. `Output` sanitizes the segments when it prints them.
 */
export function blocksLines(blocks: readonly Block[]): Line[] {
  return blocks
    .map((block) => (isKnownBlock(block) ? knownLines(block) : plainLines(blocksToText([block]))))
    .filter((lines) => !lines.every(isBlank))
    .flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}

function knownLines({ type, data }: KnownBlock): Line[] {
  switch (type) {
    case 'paragraph':
      return htmlLines(data.text);
    case 'header':
      return htmlLines(data.text, ['bold']);
    case 'list':
      return listLines(data.style, data.items, data.meta?.start ?? 1, 0);
    case 'checklist':
      return data.items.flatMap((item) => marked(box(item.checked), htmlLines(item.text), 0));
    case 'quote':
      return quoteLines(data);
    case 'code':
      return plainLines(data.code).map((line) => ['  ', ...line.map(asCode)]);
    case 'delimiter':
      return [[styled('dim', '---')]];
    case 'table':
      return tableLines(data);
    case 'warning':
      return [...(data.title ? marked('⚠ ', htmlLines(data.title, ['bold']), 0) : []), ...htmlLines(data.message)];
    case 'image':
      return imageLines(data);
  }
}

function listLines(style: Data<'list'>['style'], items: ListItems, start: number, depth: number): Line[] {
  return items.flatMap((item, index) => {
    const { content, meta, items: inner } = typeof item === 'string' ? { content: item } : item;
    const mark = { ordered: `${start + index}. `, unordered: '- ', checklist: box(meta?.checked) }[style];
    return marked(mark, [...htmlLines(content), ...listLines(style, inner ?? [], 1, depth + 1)], depth);
  });
}

function marked(mark: string, lines: Line[], depth: number): Line[] {
  return behind(mark, ' '.repeat(mark.length), lines, depth);
}

function box(isChecked: boolean | null | undefined): string {
  return isChecked ? '[x] ' : '[ ] ';
}

function quoteLines({ text, caption }: Data<'quote'>): Line[] {
  const by: Line[] = caption ? htmlLines(caption).map((line, index) => (index === 0 ? ['— ', ...line] : line)) : [];
  const mark = styled('dim', '> ');
  return behind(mark, mark, [...htmlLines(text), ...by], 0);
}

function tableLines({ content, withHeadings }: Data<'table'>): Line[] {
  return content.map((row, index) => {
    const styles: Style[] = withHeadings && index === 0 ? ['bold'] : [];
    return row.flatMap((cell, at) => [
      ...(at === 0 ? [] : [styled('dim', ' | ')]),
      ...oneLine(htmlLines(cell, styles)),
    ]);
  });
}

function oneLine(lines: Line[]): Line {
  return lines.flatMap((line, index) => (index === 0 ? line : [' ', ...line]));
}

function imageLines({ caption, file, url }: Data<'image'>): Line[] {
  const address = file?.url ?? url ?? '';
  const lines = caption ? htmlLines(caption) : [];
  if (lines.every(isBlank)) return [[address]];
  return lines.map((line, index) => (index < lines.length - 1 ? line : [...line, ` (${address})`]));
}

const STYLES = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  s: 'strikethrough',
  code: 'cyan',
  mark: 'yellow',
  a: 'underline',
} as const satisfies Readonly<Record<string, Style>>;

/** Formats inline HTML with the few elements that Hub supports. */
function htmlLines(html: string, styles: readonly Style[] = []): Line[] {
  const lines: Line[] = [[]];
  const write = (text: string, written: readonly Style[]): void => {
    for (const [index, part] of text.split(/\r\n|[\n\r]/).entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push(withStyles(part.replaceAll('\u00a0', ' '), written));
    }
  };
  const walk = (node: InlineNode, inherited: readonly Style[]): void => {
    if (typeof node === 'string') {
      write(node, inherited);
    } else if (node.tag === 'br') {
      write('\n', inherited);
    } else {
      for (const child of node.children) walk(child, [...inherited, STYLES[node.tag]]);
      const text = node.tag === 'a' ? textOf(node.children) : '';
      if (node.tag === 'a') write(withAddress(text, node.href).slice(text.length), inherited);
    }
  };
  for (const node of parseInlineHtml(html)) walk(node, styles);
  return lines.map(joined);
}

function withStyles(text: string, styles: readonly Style[]): Segment {
  return styles.length === 0 ? text : { text, style: styles };
}

function textOf(nodes: readonly InlineNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? '\n' : textOf(node.children)))
    .join('');
}
