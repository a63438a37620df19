import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../deps.ts';
import { keyNotValid } from '../keys/authenticate-key.ts';
import type { ItemKind } from '../storage/records.ts';
import type { KeyCredential, NewPost } from '../storage/store.ts';
import { isoTime } from '../time.ts';

/** The source of a post, stored with it permanently. */
export interface PostOrigin {
  key: KeyCredential;
  address: string;
  requestId: string;
  /** Called once the post is on disk. */
  onCommitted?: (post: CommittedPost) => void;
}

export interface CommittedPost {
  hubId: string;
  itemId: string;
  seq: number;
}

export type PostDeps = Pick<Deps, 'store' | 'clock' | 'newId' | 'log' | 'revocations'>;

type PostFields = Pick<NewPost, 'kind'> & Partial<Pick<NewPost, 'title' | 'body' | 'blocks' | 'dueAt' | 'priority'>>;

const ID_PREFIX = { message: 'msg', note: 'note', todo: 'todo' } as const satisfies Record<ItemKind, string>;

/** Creates a post of any kind. Resolves once the post is on disk. */
export async function createPost(
  { store, clock, newId, log, revocations }: PostDeps,
  { key, address, requestId, onCommitted }: PostOrigin,
  fields: PostFields,
): Promise<{ id: string; containerId: string; createdAt: string }> {
  const createdAt = clock.now();
  // The key may have expired while the body arrived. The store checks for a revocation, unless its disk is full.
  if (!isValid(key, createdAt) || revocations.revokedAt(key.id) !== undefined) throw keyNotValid();
  const id = newId(ID_PREFIX[fields.kind]);
  const { id: keyId, hubId } = key;
  // For posts that never got a response: at debug level, the log shows how far they got.
  log.debug({ requestId, keyId, hubId, itemId: id }, 'Post accepted');
  const { containerId, seq } = await store.posts.create({
    title: null,
    body: null,
    blocks: null,
    dueAt: null,
    priority: null,
    ...fields,
    id,
    hubId,
    createdAt,
    keyId,
    address,
    requestId,
  });
  onCommitted?.({ hubId, itemId: id, seq });
  return { id, containerId, createdAt: isoTime(createdAt) };
}
