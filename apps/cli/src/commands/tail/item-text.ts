import type { Item } from '@hub/contract';
import { blocksLines } from '../../runtime/block-lines.ts';
import { isBlank, markdownLines } from '../../runtime/markdown-lines.ts';
import type { Line } from '../../runtime/segments.ts';
import { plainLine } from '../../runtime/terminal-text.ts';

const ADDRESSES = / \(https?:[^\s)]*\)/g;

/** Returns the text of an item without its title; no lines if it is empty. */
export function bodyOf(item: Item): Line[] {
  if (item.kind === 'message' && item.blocks) return trimmed(blocksLines(item.blocks));
  const text = item.kind === 'message' ? item.text : item.content;
  return text === null || text.trim() === '' ? [] : trimmed(markdownLines(text));
}

/** Returns a short name for an item: its title, else its first line that is not blank. */
export function hintOf(item: Item, body: readonly Line[]): string {
  const title = item.kind === 'message' ? null : item.title;
  const text = title ?? body.map(textOf).find((line) => line.trim() !== '') ?? '';
  // Link targets are shown only with the full text.
  return plainLine(text).replaceAll(ADDRESSES, '').trim();
}

/** Returns a hash that changes when the text of the same item changes. */
export function digestOf(item: Item): string {
  const content = item.kind === 'message' ? [item.text, item.blocks] : [item.title, item.content];
  return Bun.hash(JSON.stringify(content)).toString(36);
}

function trimmed(lines: Line[]): Line[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

function textOf(line: Line): string {
  return line.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('');
}
