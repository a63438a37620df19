import type { Note } from '@hub/contract';
import { withoutHtml } from '@hub/contract/markdown/without-html';
import { namesFor } from './names.ts';

/** HTML and comments are removed before the text is cut to `MAX_READ`, since they may be most of it. */
const MAX_WRITTEN = 10_000;
const MAX_READ = 2_000;
const MAX_SHOWN = 400;

const FENCE = /^ {0,3}(?:```|~~~)/;
const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const BELOW_TABLE_HEAD = /^[ \t]*[|:-][ \t|:-]*$/;
/** Starts a new part: a heading, a list item or a quote. */
const BEGINNING = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)/;

/** Returns the beginning of Markdown text without its syntax, with dots between parts. */
export function excerpt(markdown: string): string {
  const written = markdown.slice(0, MAX_WRITTEN);
  const text = withoutHtml(written, { names: namesFor(written) });
  const parts = partsOf(text.slice(0, MAX_READ).split('\n')).map(wordsIn).filter(Boolean);
  const words = parts.reduce(
    (text, part) => (text === '' ? part : `${text}${/\p{P}$/u.test(text) ? '' : ' ·'} ${part}`),
    '',
  );
  const characters = [...words];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : words;
}

/** Returns paragraphs, headings, list items and table rows. */
function partsOf(lines: readonly string[]): string[] {
  const parts: string[] = [''];
  const add = (text: string) => parts.push(`${parts.pop()} ${text}`);
  let isTable = false;
  for (const [n, line] of lines.entries()) {
    isTable &&= line.includes('|');
    if (!line.includes('|') && (line.trim() === '' || RULE.test(line) || FENCE.test(line))) parts.push('');
    else if (line.includes('|') && BELOW_TABLE_HEAD.test(lines[n + 1] ?? '')) {
      // Skip the header row: the column names say little without the table.
      isTable = true;
      parts.push('');
    } else if (isTable && BELOW_TABLE_HEAD.test(line)) parts.push('');
    else if (isTable) parts.push(cellsOf(line), '');
    else if (BEGINNING.test(line)) {
      parts.push(line.replace(BEGINNING, ''));
      if (/^[ \t]*#/.test(line)) parts.push('');
    } else add(line);
  }
  return parts;
}

function cellsOf(row: string): string {
  const cells = row.split('|').map((cell) => cell.trim());
  return cells.filter(Boolean).join(', ');
}

function wordsIn(part: string): string {
  return part
    .replaceAll(/!\[([^[\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|`+)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_\n]+)\1(?![\p{L}\p{N}])/gu, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const MAX = 80;

/** Returns the title of a note, or the beginning of its text. */
export function noteTitle({ title, content }: Note): string {
  if (title !== null) return title;
  const text = excerpt(content);
  return text === '' ? 'Untitled note' : [...text].slice(0, MAX).join('');
}
