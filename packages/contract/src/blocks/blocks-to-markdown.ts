import { isBlank } from '../blank-text.ts';
import { unknownBlockText } from './blocks-to-text.ts';
import type { ListData, ListItem } from './data-schemas.ts';
import { codeBlock, escapeHeading, escapeLine, isAutolink, linkDestination } from './escape-markdown.ts';
import { inlineMarkdown, oneLineMarkdown, plainMarkdown } from './inline-markdown.ts';
import { isKnownBlock } from './known-block.ts';
import type { Block, KnownBlock } from './schema.ts';

/** The highest number of a list item (CommonMark 0.31, section 5.2). */
const MAX_LIST_NUMBER = 999_999_999;
/** The text of an empty list item, because an empty line would have another meaning. */
const EMPTY_ITEM = '&nbsp;';

/**
 * Converts the blocks of a message to Markdown that looks the same: CommonMark plus the tables, task lists and
 * strikethrough of GFM. Text that would be read as Markdown syntax is escaped. Underlines and highlights, which
 * Markdown does not have, are dropped. The blocks must have been accepted by `checkBlocks`.
 */
export function blocksToMarkdown(blocks: readonly Block[]): string {
  let listsInRow = 0;
  return blocks
    .map((block) => {
      if (!isKnownBlock(block)) return plainMarkdown(unknownBlockText(block.type, block.data));
      const markdown = knownBlockMarkdown(block, listsInRow % 2 === 1);
      // Two consecutive lists with the same markers would be merged into one.
      if (markdown !== '') listsInRow = block.type === 'list' || block.type === 'checklist' ? listsInRow + 1 : 0;
      return markdown;
    })
    .filter((markdown) => markdown !== '')
    .join('\n\n');
}

function knownBlockMarkdown({ type, data }: KnownBlock, isAlternate: boolean): string {
  switch (type) {
    case 'paragraph':
      return inlineMarkdown(data.text);
    case 'header':
      return prefixed(`${'#'.repeat(data.level)} `, escapeHeading(oneLineMarkdown(data.text)));
    case 'list':
      return listLines(data, data.items, { indent: '', isAlternate }).join('\n');
    case 'checklist': {
      const items = data.items.map(({ text, checked }) => ({ content: text, meta: { checked } }));
      return listLines({ style: 'checklist' }, items, { indent: '', isAlternate }).join('\n');
    }
    case 'quote':
      return quote([inlineMarkdown(data.text), prefixed('— ', oneLineMarkdown(data.caption ?? ''))]);
    case 'code':
      return isBlank(data.code) ? '' : codeBlock(data.code);
    case 'delimiter':
      return '---';
    case 'table':
      return table(data.content, data.withHeadings === true);
    case 'warning':
      return prefixed(
        '⚠ ',
        [inlineMarkdown(data.title ?? '', { strong: '' }), inlineMarkdown(data.message)]
          .filter((part) => part !== '')
          .join('\\\n'),
      );
    case 'image':
      return image(oneLineMarkdown(data.caption ?? ''), data.file?.url ?? data.url ?? '');
  }
}

/** Returns one line per item. */
function listLines(
  list: Pick<ListData, 'style' | 'meta'>,
  items: readonly (string | ListItem)[],
  context: { indent: string; isAlternate: boolean },
): string[] {
  const { indent, isAlternate } = context;
  const start = Math.min(list.meta?.start ?? 1, MAX_LIST_NUMBER - items.length);
  return items.flatMap((item, index) => {
    const { content, meta, items: nested } = typeof item === 'string' ? { content: item } : item;
    const bullet = isAlternate ? '* ' : '- ';
    const marker = list.style === 'ordered' ? `${start + index}${isAlternate ? ')' : '.'} ` : bullet;
    const box = list.style === 'checklist' ? (meta?.checked ? '[x] ' : '[ ] ') : '';
    const text = escapeLine(oneLineMarkdown(content)) || EMPTY_ITEM;
    // Nested items are indented to line up with the text of their parent. A checkbox is part of that text.
    const inner = { indent: indent + ' '.repeat(marker.length), isAlternate };
    return [indent + marker + box + text, ...listLines({ style: list.style }, nested ?? [], inner)];
  });
}

function quote(paragraphs: readonly string[]): string {
  const text = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
  return text === '' ? '' : text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** A Markdown table always has a header row, which may be empty. Rows may have fewer cells than others. */
function table(rows: readonly (readonly string[])[], withHeadings: boolean): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const [head, body] = withHeadings ? [rows[0] ?? [], rows.slice(1)] : [[], rows];
  const empty = Array.from({ length: width - head.length }, () => '');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cells = (row: readonly string[]) => row.map((cell) => oneLineMarkdown(cell).replaceAll('|', '\\|'));
  return [
    line([...cells(head), ...empty]),
    line(Array.from({ length: width }, () => '---')),
    ...body.map((row) => line(cells(row))),
  ].join('\n');
}

function image(caption: string, url: string): string {
  const destination = linkDestination(url);
  if (caption !== '') return `[${caption}](${destination})`;
  return isAutolink(url) ? `<${url}>` : `[${plainMarkdown(url)}](${destination})`;
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}
