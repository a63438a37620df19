import type { Item, Note } from '@hub/contract';
import { withoutHtml } from '@hub/contract/markdown/without-html';
import { namesFor } from './names.ts';
import { FENCE } from './read-markdown.ts';

/** HTML and comments are removed before the text is cut to `MAX_READ`, since they may be most of it. */
const MAX_WRITTEN = 10_000;
const MAX_READ = 2_000;
const MAX_SHOWN = 400;
const MAX_TITLE = 80;

/** Returns the beginning of Markdown text on one line, without its syntax and without the head of a table. */
export function excerpt(markdown: string): string {
  const written = withHtmlRemoved(markdown.slice(0, MAX_WRITTEN));
  const characters = [...oneLine(written.slice(0, MAX_READ), { hasTableHeads: false })];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : characters.join('');
}

/** Returns the title of a note, or the beginning of its text. */
export function noteTitle({ title, content }: Note): string {
  if (title !== null) return title;
  const text = excerpt(content);
  return text === '' ? 'Untitled note' : [...text].slice(0, MAX_TITLE).join('');
}

/** Returns the beginning of an item's text without markup; the names of its files if it has no text. */
export function plainText(item: Item): string {
  return excerpt(sourceOf(item)) || (item.files ?? []).map(({ name }) => name).join(', ');
}

/** Returns the whole text of an item on one line, without the most common Markdown syntax. */
export function wholeText(item: Item): string {
  return oneLine(withHtmlRemoved(sourceOf(item)), { hasTableHeads: true });
}

export function textWithTitle(item: Item): string {
  const title = item.kind === 'message' ? null : item.title;
  return [title, wholeText(item)].filter((text) => text !== null && text !== '').join(' — ');
}

function sourceOf(item: Item): string {
  if (item.kind !== 'message') return item.content ?? '';
  return item.blocks === null ? (item.text ?? '') : textOfBlocks(item.blocks);
}

type Blocks = NonNullable<Extract<Item, { kind: 'message' }>['blocks']>;

/** Returns all strings of text in the data of the blocks, in order and without inline HTML. */
function textOfBlocks(blocks: Blocks): string {
  const texts = blocks.flatMap(({ data }) => textsIn(data));
  return texts.map((text) => text.replaceAll(/<[^>]*>/g, '')).join('\n\n');
}

/** Properties whose values are not text: file names, URLs, styles. */
const NON_TEXT: ReadonlySet<string> = new Set(['url', 'file', 'style', 'language', 'alignment', 'level', 'meta']);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (NON_TEXT.has(name) ? [] : textsIn(part)));
}

const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const BELOW_TABLE_HEAD = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/**
 * Matches the markers at the start of a heading, a quote, a list item or a task, perhaps nested. The number of a list
 * item is matched only before a task, so otherwise it stays in the text.
 */
const BEGINNING =
  /^[ \t]*(?:(?:#{1,6}|>|(?:[-*+]|\d{1,9}[.)](?=[ \t]+\[[ xX]\][ \t]))(?:[ \t]+\[[ xX]\](?=[ \t]))?)[ \t]+)+/;

/** Matches the start of a new part: a list item, a numbered item or a heading. */
const PART_BEGINNING = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]/;
const HEADING = /^[ \t>]*#{1,6}[ \t]/;
/** Marks the start of a new part. It is white space, so it is found when white space is collapsed at the end. */
const PART = '\v';

function withHtmlRemoved(markdown: string): string {
  return withoutHtml(markdown, { names: namesFor(markdown) });
}

/** Returns Markdown text on one line, without the most common syntax. Takes linear time. */
function oneLine(markdown: string, tables: { hasTableHeads: boolean }): string {
  return wordsIn(markdown.split('\n'), tables)
    .join('\n')
    .replaceAll(/!\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replaceAll(/!?\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replaceAll(/\*\*|__|~~|`+/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_\n]*[^*_\s])\1(?![\p{L}\p{N}])/gu, '$2')
    .trim()
    .replaceAll(/\s+/g, (gap, at: number, all: string) => {
      // Separate parts with a dot, unless one ends like a sentence.
      return gap.includes(PART) && !/\p{P}/u.test(all[at - 1] ?? '') ? ' · ' : ' ';
    });
}

/** Returns the lines that contain text: no fences or rules; for tables, only the cells. */
function wordsIn(lines: readonly string[], { hasTableHeads }: { hasTableHeads: boolean }): string[] {
  const words: string[] = [];
  let fence = '';
  let isTable = false;
  for (const [n, line] of lines.entries()) {
    const [, sign = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (sign.startsWith(fence) && info.trim() === '') {
        fence = '';
        words.push(PART);
      } else words.push(line);
      continue;
    }
    const hasCells = line.includes('|');
    isTable = hasCells && (isTable || isBelowHead(lines[n + 1]));
    if (sign !== '') {
      fence = sign;
      words.push(PART);
    } else if (line.trim() === '') words.push(PART);
    else if (isTable && isBelowHead(line)) continue;
    else if (isTable && !hasTableHeads && isBelowHead(lines[n + 1])) words.push(PART);
    else if (isTable) words.push(PART + cellsOf(line), PART);
    else if (!RULE.test(line)) {
      words.push((PART_BEGINNING.test(line) ? PART : '') + line.replace(BEGINNING, ''));
      if (HEADING.test(line)) words.push(PART);
    }
  }
  return words;
}

function cellsOf(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ');
}

/** Whether a line is the delimiter row of a table. */
function isBelowHead(line = ''): boolean {
  return line.includes('|') && BELOW_TABLE_HEAD.test(line);
}
