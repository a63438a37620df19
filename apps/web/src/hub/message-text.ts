import type { Message } from '@hub/contract';

/** Returns the text of a message as Markdown, converting it from blocks if needed. */
export async function markdownOf({ text, blocks }: Pick<Message, 'text' | 'blocks'>): Promise<string> {
  if (blocks === null) return text ?? '';
  const { blocksToMarkdown } = await import('@hub/contract/blocks/blocks-to-markdown');
  return blocksToMarkdown(blocks);
}
