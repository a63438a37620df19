import type { Block } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import type { Line } from './output.ts';
import { plainText } from './terminal-text.ts';

/**
 * Replaces `post-lines.ts` in the package for npm: the renderer of Markdown is part of Bun. Markdown is shown as it was
 * written, and blocks as their text.
 */
export function markdownLines(markdown: string): Line[] {
  const lines = plainText(markdown).split('\n');
  const isText = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1).map((line) => [line.trimEnd()]);
}

export function blocksLines(blocks: readonly Block[]): Line[] {
  return markdownLines(blocksToText(blocks));
}
