import { isBlank } from '../blank-text.ts';
import { withoutEscapes } from '../markdown/without-escapes.ts';
import type { ListData, ListItem } from './data-schemas.ts';
import { inlineText } from './inline-text.ts';
import { isKnownBlock } from './known-block.ts';
import type { Block, KnownBlock } from './schema.ts';

/**
 * Converts the blocks of a message to plain text in the style of Markdown, for search, notifications and the terminal.
 * Blocks are separated by an empty line, and empty blocks are left out. The blocks must have been accepted by
 * `checkBlocks`.
 *
 * Terminal escape sequences are removed. Any other character except NUL may remain, so code that prints the text must
 * remove control characters itself.
 */
export function blocksToText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (isKnownBlock(block) ? knownBlockText(block) : unknownBlockText(block.type, block.data)))
    .filter((text) => !isBlank(text))
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

/** Returns one line per item. Markdown has only numbers, so other counters (i, ii; a, b) are shown as numbers. */
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

/** Returns the strings in a block of an unknown type, marked as unsupported. */
export function unknownBlockText(type: string, data: Record<string, unknown>): string {
  const texts: string[] = [];
  collectTexts(data, texts);
  return [`[unsupported block: ${shortened(type.replace(/\s+/g, ' '))}]`, ...texts].join(' ');
}

/** Truncates a name to 64 characters, between code points and without reading all of a long name. */
function shortened(name: string): string {
  const start = Array.from(name.slice(0, 2 * MAX_TYPE_CHARACTERS + 1));
  return start.length > MAX_TYPE_CHARACTERS ? `${start.slice(0, MAX_TYPE_CHARACTERS).join('')}…` : name;
}

/** Collects the strings in a value in their original order, without property names. */
function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    const text = inlineText(value).trim();
    if (text !== '') texts.push(text);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, texts);
  }
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}

/**
 * Returns the text of headings, items and cells on one line. If line breaks were kept and each line indented instead, a
 * short message with many line breaks in a deeply nested list could grow to megabytes of text.
 */
function oneLine(html: string): string {
  return inlineText(html).replace(/\s+/g, ' ').trim();
}
