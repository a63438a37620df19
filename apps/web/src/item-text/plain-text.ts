import type { Item } from '@hub/contract';
import { excerpt } from './excerpt.ts';
import { oneLine } from './one-line.ts';

/** The first words of what an item says, without any markup. */
export function plainText(item: Item): string {
  return excerpt(sourceOf(item));
}

/** All that an item says, on one line, without the commonest signs of Markdown. */
export function wholeText(item: Item): string {
  return oneLine(sourceOf(item));
}

function sourceOf(item: Item): string {
  if (item.kind !== 'message') return item.content ?? '';
  return item.blocks === null ? (item.text ?? '') : textOfBlocks(item.blocks);
}

type Blocks = NonNullable<Extract<Item, { kind: 'message' }>['blocks']>;

/** Every text in the data of the blocks, in order; their inline HTML is taken away. */
function textOfBlocks(blocks: Blocks): string {
  const texts = blocks.flatMap(({ data }) => textsIn(data));
  return texts.map((text) => text.replaceAll(/<[^>]*>/g, '')).join('\n\n');
}

/** Names of files, addresses and styles are no words. */
const WORDLESS: ReadonlySet<string> = new Set(['url', 'file', 'style', 'language', 'alignment', 'level', 'meta']);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (WORDLESS.has(name) ? [] : textsIn(part)));
}
