import type { Message } from '@hub/contract';

/** What a message says as Markdown, also if it was posted as blocks. */
export async function markdownOf({ text, blocks }: Pick<Message, 'text' | 'blocks'>): Promise<string> {
  if (blocks === null) return text ?? '';
  const { blocksToMarkdown } = await import('@hub/contract/blocks/blocks-to-markdown');
  return blocksToMarkdown(blocks);
}
