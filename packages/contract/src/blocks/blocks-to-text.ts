import { withoutEscapes } from '../markdown/without-escapes.ts';
import type { ListData, ListItem } from './data-schemas.ts';
import { inlineText } from './inline-text.ts';
import { type Block, isKnownBlock, type KnownBlock } from './schema.ts';

/**
 * What a message's blocks say, as plain text in the manner of Markdown: for search, notices and the terminal. Blocks
 * are separated by an empty line, and one that says nothing is left out. It takes blocks that `checkBlocks` accepted.
 *
 * Sequences for terminals are left out. It may hold any other character but NUL: whoever prints it strips what is left.
 */
export function blocksToText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (isKnownBlock(block) ? knownBlockText(block) : unknownBlockText(block.type, block.data)))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

function knownBlockText({ type, data }: KnownBlock): string {
  switch (type) {
    case 'paragraph':
      return inlineText(data.text);
    case 'header':
      return prefixed(`${'#'.repeat(data.level)} `, oneLine(data.text));
    case 'list':
      return listLines(data, data.items, '').join('\n');
    case 'checklist':
      return data.items.map((item) => box(item.checked) + oneLine(item.text)).join('\n');
    case 'quote':
      return quoteText(inlineText(data.text), oneLine(data.caption ?? ''));
    case 'code':
      return withoutEscapes(data.code);
    case 'delimiter':
      return '---';
    case 'table':
      return data.content.map((row) => row.map(oneLine).join(' | ')).join('\n');
    case 'warning':
      return prefixed(
        '⚠ ',
        [oneLine(data.title ?? ''), inlineText(data.message)].filter((part) => part !== '').join('\n'),
      );
    case 'image':
      return imageText(oneLine(data.caption ?? ''), data.file?.url ?? data.url ?? '');
  }
}

/** One line per item. Markdown counts with numbers alone, so other counters (i, ii; a, b) become numbers. */
function listLines(
  list: Pick<ListData, 'style' | 'meta'>,
  items: readonly (string | ListItem)[],
  indent: string,
): string[] {
  const start = list.meta?.start ?? 1;
  return items.flatMap((item, index) => {
    const { content, meta, items: nested } = typeof item === 'string' ? { content: item } : item;
    const marker = { ordered: `${start + index}. `, unordered: '- ', checklist: box(meta?.checked) }[list.style];
    const inner = indent + ' '.repeat(marker.length);
    return [indent + marker + oneLine(content), ...listLines({ style: list.style }, nested ?? [], inner)];
  });
}

function box(checked: boolean | null | undefined): string {
  return checked ? '[x] ' : '[ ] ';
}

function quoteText(text: string, caption: string): string {
  const lines = text === '' ? [] : text.split('\n');
  if (caption !== '') lines.push(`— ${caption}`);
  return lines.map((line) => `> ${line}`).join('\n');
}

function imageText(caption: string, url: string): string {
  return caption === '' ? url : `${caption} (${url})`;
}

const MAX_TYPE_CHARACTERS = 64;

/** The texts of a block of an unknown type, marked as such. */
export function unknownBlockText(type: string, data: Record<string, unknown>): string {
  const texts: string[] = [];
  gatherTexts(data, texts);
  return [`[unsupported block: ${shortened(type.replace(/\s+/g, ' '))}]`, ...texts].join(' ');
}

/** At most 64 characters of a name: cut between code points, and never by walking the whole of a long one. */
function shortened(name: string): string {
  const start = Array.from(name.slice(0, 2 * MAX_TYPE_CHARACTERS + 1));
  return start.length > MAX_TYPE_CHARACTERS ? `${start.slice(0, MAX_TYPE_CHARACTERS).join('')}…` : name;
}

/** The texts of a value in the order in which they were written; property names are no text. */
function gatherTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    const text = inlineText(value).trim();
    if (text !== '') texts.push(text);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) gatherTexts(member, texts);
  }
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}

/**
 * The text of what has one line: headings, items, cells. Indenting further lines instead would let a short message of
 * line breaks in a deep list grow to megabytes of text.
 */
function oneLine(html: string): string {
  return inlineText(html).replace(/\s+/g, ' ').trim();
}
