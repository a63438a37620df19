import type { CreatedTodo, CreateTodoBody } from '@hub/contract';
import { parseDateTime } from '../core/date-time.ts';
import { createPost, type PostDeps, type PostOrigin } from './create-post.ts';

/** Creates an open to-do. Its due date is stored as an instant. */
export async function createTodo(
  deps: PostDeps,
  origin: PostOrigin,
  { title, content, dueDate, priority }: CreateTodoBody,
): Promise<CreatedTodo> {
  const { id, containerId, createdAt } = await createPost(deps, origin, {
    kind: 'todo',
    title,
    body: content ?? null,
    dueAt: dueDate === undefined ? null : parseDateTime(dueDate),
    priority: priority ?? null,
  });
  return { id, bucketId: containerId, createdAt };
}
