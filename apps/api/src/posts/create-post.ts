import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../deps.ts';
import { keyNotValid } from '../keys/authenticate-key.ts';
import type { ItemKind, KeyCredential, NewPost } from '../store/store.ts';
import { isoTime } from '../time.ts';

/** Where a post comes from: kept with it for ever, so that a reader can ask. */
export interface PostOrigin {
  key: KeyCredential;
  address: string;
  requestId: string;
  /** Told of the item once it is on disk. */
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

/** What the three kinds share. Resolves once the post is on disk. */
export async function createPost(
  { store, clock, newId, log, revocations }: PostDeps,
  { key, address, requestId, onCommitted }: PostOrigin,
  fields: PostFields,
): Promise<{ id: string; containerId: string; createdAt: string }> {
  const createdAt = clock.now();
  // It may have expired while the body came. Whether it was revoked meanwhile the store knows, unless its disk is full.
  if (!isValid(key, createdAt) || revocations.revokedAt(key.id) !== undefined) throw keyNotValid();
  const id = newId(ID_PREFIX[fields.kind]);
  const { id: keyId, hubId } = key;
  // Who looks for a post that was never answered finds in the log, at this level, how far it came.
  log.debug({ requestId, keyId, hubId, itemId: id }, 'A post was accepted');
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
