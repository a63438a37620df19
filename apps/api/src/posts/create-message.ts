import type { CreatedMessage, CreateMessageBody } from '@hub/contract';
import { AppError } from '../errors.ts';
import { createPost, type PostDeps, type PostOrigin } from './create-post.ts';

/** If both are sent, `blocks` is what readers see and search; `text` is kept as it was sent. */
export async function createMessage(
  deps: PostDeps,
  origin: PostOrigin,
  { text, blocks }: CreateMessageBody,
): Promise<CreatedMessage> {
  if (text === undefined && blocks === undefined) {
    throw new AppError('invalid', 'A message needs text or blocks, and neither may be empty');
  }
  const { id, containerId, createdAt } = await createPost(deps, origin, {
    kind: 'message',
    body: text ?? null,
    blocks: blocks === undefined ? null : JSON.stringify(blocks),
  });
  return { id, conversationId: containerId, createdAt };
}
