import type { Deps } from '../deps.ts';
import type { ItemKind, KeyCredential, NewPost } from '../store/store.ts';
import { isoTime } from '../time.ts';

/** Where a post comes from: kept with it for ever, so that a reader can ask. */
export interface PostOrigin {
  key: KeyCredential;
  address: string;
  requestId: string;
}

export type PostDeps = Pick<Deps, 'store' | 'clock' | 'newId'>;

type PostFields = Pick<NewPost, 'kind'> & Partial<Pick<NewPost, 'title' | 'body' | 'blocks' | 'dueAt' | 'priority'>>;

const ID_PREFIX = { message: 'msg', note: 'note', todo: 'todo' } as const satisfies Record<ItemKind, string>;

/** What the three kinds share. Resolves once the post is on disk. */
export async function createPost(
  { store, clock, newId }: PostDeps,
  { key, address, requestId }: PostOrigin,
  fields: PostFields,
): Promise<{ id: string; containerId: string; createdAt: string }> {
  const createdAt = clock.now();
  const id = newId(ID_PREFIX[fields.kind]);
  const { containerId } = await store.posts.create({
    title: null,
    body: null,
    blocks: null,
    dueAt: null,
    priority: null,
    ...fields,
    id,
    hubId: key.hubId,
    createdAt,
    keyId: key.id,
    address,
    requestId,
  });
  return { id, containerId, createdAt: isoTime(createdAt) };
}
