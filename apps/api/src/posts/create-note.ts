import type { CreatedNote, CreateNoteBody } from '@hub/contract';
import { createPost, type PostDeps, type PostOrigin } from './create-post.ts';

export async function createNote(
  deps: PostDeps,
  origin: PostOrigin,
  { title, content }: CreateNoteBody,
): Promise<CreatedNote> {
  const { id, containerId, createdAt } = await createPost(deps, origin, {
    kind: 'note',
    title: title ?? null,
    body: content,
  });
  return { id, bucketId: containerId, createdAt };
}
