import type { CreatedMessage, CreateMessageBody } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import { createPost, type PostDeps, type PostOrigin } from './create-post.ts';

/** Creates a message. If both are sent, readers see and search `blocks`, and `text` is stored as sent. */
export async function createMessage(
  deps: PostDeps,
  origin: PostOrigin,
  { text, blocks }: CreateMessageBody,
): Promise<CreatedMessage> {
  if (text === undefined && blocks === undefined) {
    throw new AppError('invalid', 'A message requires text or blocks, and neither can be empty');
  }
  const { id, containerId, createdAt } = await createPost(deps, origin, {
    kind: 'message',
    body: text ?? null,
    blocks: blocks === undefined ? null : JSON.stringify(blocks),
  });
  return { id, conversationId: containerId, createdAt };
}
