import type { Item } from '@hub/contract';
import { blocksLines } from '../../runtime/block-lines.ts';
import { isBlank, type Line, markdownLines } from '../../runtime/markdown-lines.ts';
import { plainLine } from '../../runtime/terminal-text.ts';

const ADDRESSES = / \(https?:[^\s)]*\)/g;

/** What an item says, without its title; no lines if that is nothing. */
export function bodyOf(item: Item): Line[] {
  if (item.kind === 'message' && item.blocks) return trimmed(blocksLines(item.blocks));
  const text = item.kind === 'message' ? item.text : item.content;
  return text === null || text.trim() === '' ? [] : trimmed(markdownLines(text));
}

/** What an item is called where there is no room for it: its title, or else the first line that says something. */
export function hintOf(item: Item, body: readonly Line[]): string {
  const title = item.kind === 'message' ? null : item.title;
  const text = title ?? body.map(textOf).find((line) => line.trim() !== '') ?? '';
  // Where a link leads is told where there is room.
  return plainLine(text).replaceAll(ADDRESSES, '').trim();
}

/** To see whether it is another text; of the same item only. */
export function digestOf(item: Item): string {
  const said = item.kind === 'message' ? [item.text, item.blocks] : [item.title, item.content];
  return Bun.hash(JSON.stringify(said)).toString(36);
}

function trimmed(lines: Line[]): Line[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

function textOf(line: Line): string {
  return line.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('');
}
