import { withoutHtml } from '@hub/contract/markdown/without-html';
import { namesFor } from '../posts/names.ts';

/** It may stand in a quotation or an item of a list. Behind the first is the name of a language. */
const FENCE = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*(`{3,}|~{3,})([^`]*)$/;
const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const BELOW_TABLE_HEAD = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** Of a heading, a quotation, an item of a list or a task, also one in another. The number of an item is a word. */
const BEGINNING =
  /^[ \t]*(?:(?:#{1,6}|>|(?:[-*+]|\d{1,9}[.)](?=[ \t]+\[[ xX]\][ \t]))(?:[ \t]+\[[ xX]\](?=[ \t]))?)[ \t]+)+/;

/** A list item, a heading or a numbered item: it begins something of its own. */
const PART_BEGINNING = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]/;
const HEADING = /^[ \t>]*#{1,6}[ \t]/;
/** Stands before such. It is white space. */
const PART = '\v';

/** All words of a Markdown text on one line, without its commonest signs. It takes no longer than the text is. */
export function oneLine(markdown: string): string {
  return wordsIn(withoutHtml(markdown, { names: namesFor(markdown) }).split('\n'))
    .join('\n')
    .replaceAll(/!\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replaceAll(/!?\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replaceAll(/\*\*|__|~~|`+/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_\n]*[^*_\s])\1(?![\p{L}\p{N}])/gu, '$2')
    .trim()
    .replaceAll(/\s+/g, (gap, at: number, all: string) => {
      // What stood below each other is parted, unless the upper one ends like a sentence.
      return gap.includes(PART) && !/\p{P}/u.test(all[at - 1] ?? '') ? ' · ' : ' ';
    });
}

/** Lines as far as they are words: no fences and rules, and of tables the cells. */
function wordsIn(lines: readonly string[]): string[] {
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

/** The line of a table that parts its head from its rows. */
function isBelowHead(line = ''): boolean {
  return line.includes('|') && BELOW_TABLE_HEAD.test(line);
}
