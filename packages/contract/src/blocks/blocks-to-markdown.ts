import { unknownBlockText } from './blocks-to-text.ts';
import type { ListData, ListItem } from './data-schemas.ts';
import { codeBlock, escapeHeading, escapeLine, isAutolink, linkDestination } from './escape-markdown.ts';
import { inlineMarkdown, oneLineMarkdown, plainMarkdown } from './inline-markdown.ts';
import { type Block, isKnownBlock, type KnownBlock } from './schema.ts';

/** The highest number that a list may begin with (CommonMark 0.31, section 5.2). */
const HIGHEST_NUMBER = 999_999_999;
/** In the place of a text that says nothing, where an empty line would be something else. */
const NOTHING = '&nbsp;';

/**
 * What a message's blocks say, as Markdown that looks the same: CommonMark with the tables, task lists and strikethrough
 * of GFM. Whatever would be a sign in it by chance is escaped. Underlining and marking, for which Markdown has nothing, are
 * left out. It takes blocks that `checkBlocks` accepted.
 */
export function blocksToMarkdown(blocks: readonly Block[]): string {
  let listsInRow = 0;
  return blocks
    .map((block) => {
      if (!isKnownBlock(block)) return plainMarkdown(unknownBlockText(block.type, block.data));
      const markdown = knownBlockMarkdown(block, listsInRow % 2 === 1);
      // Two lists that follow each other would be one if their marks were the same.
      if (markdown !== '') listsInRow = block.type === 'list' || block.type === 'checklist' ? listsInRow + 1 : 0;
      return markdown;
    })
    .filter((markdown) => markdown !== '')
    .join('\n\n');
}

function knownBlockMarkdown({ type, data }: KnownBlock, isOther: boolean): string {
  switch (type) {
    case 'paragraph':
      return inlineMarkdown(data.text);
    case 'header':
      return prefixed(`${'#'.repeat(data.level)} `, escapeHeading(oneLineMarkdown(data.text)));
    case 'list':
      return listLines(data, data.items, { indent: '', isOther }).join('\n');
    case 'checklist': {
      const items = data.items.map(({ text, checked }) => ({ content: text, meta: { checked } }));
      return listLines({ style: 'checklist' }, items, { indent: '', isOther }).join('\n');
    }
    case 'quote':
      return quote([inlineMarkdown(data.text), prefixed('— ', oneLineMarkdown(data.caption ?? ''))]);
    case 'code':
      return data.code.trim() === '' ? '' : codeBlock(data.code);
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

/** One line per item. */
function listLines(
  list: Pick<ListData, 'style' | 'meta'>,
  items: readonly (string | ListItem)[],
  place: { indent: string; isOther: boolean },
): string[] {
  const { indent, isOther } = place;
  const start = Math.min(list.meta?.start ?? 1, HIGHEST_NUMBER - items.length);
  return items.flatMap((item, index) => {
    const { content, meta, items: nested } = typeof item === 'string' ? { content: item } : item;
    const bullet = isOther ? '* ' : '- ';
    const marker = list.style === 'ordered' ? `${start + index}${isOther ? ')' : '.'} ` : bullet;
    const box = list.style === 'checklist' ? (meta?.checked ? '[x] ' : '[ ] ') : '';
    const says = escapeLine(oneLineMarkdown(content)) || NOTHING;
    // What is under an item begins where its text does; a box belongs to that.
    const inner = { indent: indent + ' '.repeat(marker.length), isOther };
    return [indent + marker + box + says, ...listLines({ style: list.style }, nested ?? [], inner)];
  });
}

function quote(paragraphs: readonly string[]): string {
  const said = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
  return said === '' ? '' : said.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** A table has headings in Markdown, be they empty. Rows may have fewer cells than the others. */
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
