import type { Deps } from '../deps.ts';
import type { ItemKind, KeyCredential, NewPost } from '../store/store.ts';
import { isoTime } from '../time.ts';

/** Where a post comes from: kept with it for ever, so that a reader can ask. */
export interface PostOrigin {
  key: KeyCredential;
  address: string;
  requestId: string;
}

export type PostDeps = Pick<Deps, 'store' | 'clock' | 'newId' | 'usage'>;

type PostFields = Pick<NewPost, 'kind' | 'searchText'> &
  Partial<Pick<NewPost, 'title' | 'body' | 'blocks' | 'dueAt' | 'priority'>>;

const ID_PREFIX = { message: 'msg', note: 'note', todo: 'todo' } as const satisfies Record<ItemKind, string>;

/** What the three kinds share. Resolves once the post is on disk. */
export async function createPost(
  { store, clock, newId, usage }: PostDeps,
  { key, address, requestId }: PostOrigin,
  fields: PostFields,
): Promise<{ id: string; containerId: string; createdAt: string }> {
  const createdAt = clock.now();
  const id = newId(ID_PREFIX[fields.kind]);
  // A post whose tally was taken along by another one of the same key still says when it was.
  const tally = usage.take(key.id) ?? { requestCount: 0, lastUsedAt: createdAt, lastUsedAddress: address };
  try {
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
      usage: tally,
    });
    return { id, containerId, createdAt: isoTime(createdAt) };
  } catch (error) {
    usage.putBack(key.id, tally);
    throw error;
  }
}
