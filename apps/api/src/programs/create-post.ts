import type {
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageBody,
  CreateNoteBody,
  CreateTodoBody,
} from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../access/deps.ts';
import { AppError } from '../platform/errors.ts';
import { isoTime } from '../platform/time.ts';
import type { SequencedHub } from '../storage/events.ts';
import { type ItemContent, type ItemKind, type NewPost, NO_CONTENT } from '../storage/items.ts';
import type { KeyCredential } from '../storage/keys.ts';
import type { PostRule } from '../storage/store.ts';
import { mayMention } from '../workspace/items/find-mentions.ts';
import { mentionedMembers } from '../workspace/items/record-mentions.ts';
import { storedFields } from '../workspace/items/write-item.ts';

/** The source of a post, stored with it permanently. */
export interface PostOrigin {
  key: KeyCredential;
  address: string;
  requestId: string;
}

/** A post on disk. */
export interface CreatedPost<Data> {
  data: Data;
  seq: number;
}

type PostDeps = Pick<Deps, 'store' | 'clock' | 'newId' | 'log' | 'revocations'>;

type PostFields = Pick<NewPost, 'kind'> & Partial<ItemContent>;

const ID_PREFIX = { message: 'msg', note: 'note', todo: 'todo' } as const satisfies Record<ItemKind, string>;

/** The challenge of every 401 of the public API (RFC 9110, section 11.6.1). */
export const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Returns the error for a key that is not valid. Unknown, expired and revoked keys share one message. */
export function keyNotValid(): AppError {
  return new AppError(
    'unauthenticated',
    'This API key is not valid: it is unknown, expired or revoked. Ask an admin for a new one.',
    CHALLENGE,
  );
}

/** Creates a post of any kind. Resolves once the post is on disk. */
async function createPost(
  { store, clock, newId, log, revocations }: PostDeps,
  { key, address, requestId }: PostOrigin,
  fields: PostFields,
): Promise<{ id: string; createdAt: string; hub: SequencedHub }> {
  const createdAt = clock.now();
  // The key may have expired while the body arrived. The transaction checks for a revocation, unless the disk is full.
  if (!isValid(key, createdAt) || revocations.revokedAt(key.id) !== undefined) throw keyNotValid();
  const id = newId(ID_PREFIX[fields.kind]);
  const { id: keyId, hubId } = key;
  // For posts that never got a response: at debug level, the log shows how far they got.
  log.debug({ requestId, keyId, hubId, itemId: id }, 'Post accepted');
  const post: NewPost = {
    ...NO_CONTENT,
    ...fields,
    id,
    hubId,
    createdAt,
    keyId,
    keyName: key.name,
    address,
    requestId,
  };
  const hub = await store.posts.write(post, ruleOf(post));
  return { id, createdAt: isoTime(createdAt), hub };
}

/** The key of a post was authenticated before the body arrived, which may have been long ago. */
export function ruleOf(post: NewPost): PostRule {
  return {
    check: (key, hub) => {
      if (key && !isValid(key, post.createdAt)) throw keyNotValid();
      if (!hub || hub.deletedAt !== null) throw new AppError('not_found', 'The Hub of this key was deleted.');
    },
    ...(mayMention(post) ? { mentioned: (members) => mentionedMembers(post, members) } : {}),
  };
}

/** Creates a message. If both are sent, readers see and search `blocks`, and `text` is stored as sent. */
export async function createMessage(
  deps: PostDeps,
  origin: PostOrigin,
  { text, blocks }: CreateMessageBody,
): Promise<CreatedPost<CreatedMessage>> {
  if (text === undefined && blocks === undefined) {
    throw new AppError('invalid', 'A message requires text or blocks, and neither can be empty');
  }
  const { id, createdAt, hub } = await createPost(deps, origin, {
    kind: 'message',
    body: text ?? null,
    blocks: blocks === undefined ? null : JSON.stringify(blocks),
  });
  return { data: { id, conversationId: hub.conversationId, createdAt }, seq: hub.seq };
}

export async function createNote(
  deps: PostDeps,
  origin: PostOrigin,
  { title, content }: CreateNoteBody,
): Promise<CreatedPost<CreatedNote>> {
  const { id, createdAt, hub } = await createPost(deps, origin, { kind: 'note', title: title ?? null, body: content });
  return { data: { id, bucketId: hub.notesBucketId, createdAt }, seq: hub.seq };
}

/** Creates an open to-do. Its due date is stored as an instant. */
export async function createTodo(
  deps: PostDeps,
  origin: PostOrigin,
  sent: CreateTodoBody,
): Promise<CreatedPost<CreatedTodo>> {
  const { id, createdAt, hub } = await createPost(deps, origin, { kind: 'todo', ...storedFields(sent) });
  return { data: { id, bucketId: hub.todosBucketId, createdAt }, seq: hub.seq };
}
