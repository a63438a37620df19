import type { Item } from '@hub/contract';
import { excerpt } from './excerpt.ts';
import { oneLine } from './one-line.ts';

/** Returns the beginning of an item's text without markup. */
export function plainText(item: Item): string {
  return excerpt(sourceOf(item));
}

/** Returns the whole text of an item on one line, without the most common Markdown syntax. */
export function wholeText(item: Item): string {
  return oneLine(sourceOf(item));
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
