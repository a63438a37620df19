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
import { servePublic } from '../http/operations/serve.ts';
import { streamedBody } from '../http/read-body.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { LiveDeps } from '../live/live-server.ts';
import { AppError } from '../platform/errors.ts';
import { isoTime } from '../platform/time.ts';
import type { SequencedHub } from '../storage/events.ts';
import { type ItemContent, type NewPost, NO_CONTENT } from '../storage/items.ts';
import type { KeyCredential } from '../storage/keys.ts';
import type { PostRule } from '../storage/store.ts';
import { filesOf } from '../workspace/files/attach-files.ts';
import type { FileDeps } from '../workspace/files/files.ts';
import { uploadFile } from '../workspace/files/upload-file.ts';
import { mayMention, mentionedMembers } from '../workspace/items/mentions.ts';
import { ID_PREFIX, storedFields } from '../workspace/items/write-item.ts';

/** The source of a post, stored with it permanently. */
interface PostOrigin {
  key: KeyCredential;
  address: string;
  requestId: string;
}

/** A post on disk. */
interface CreatedPost<Data> {
  data: Data;
  seq: number;
}

type PostDeps = Pick<Deps, 'store' | 'clock' | 'newId' | 'log' | 'revocations'>;

type PostFields = Pick<NewPost, 'kind'> & Partial<ItemContent>;

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
  fileIds?: readonly string[],
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
  const hub = await store.posts.write(post, ruleOf(post, fileIds));
  return { id, createdAt: isoTime(createdAt), hub };
}

const hubDeleted = () => new AppError('not_found', 'The Hub of this key was deleted.');

/** The key of a post was authenticated before the body arrived, which may have been long ago. */
export function ruleOf(post: NewPost, fileIds?: readonly string[]): PostRule {
  const files = fileIds && filesOf(fileIds, { hubId: post.hubId, at: post.createdAt });
  return {
    check: (key, hub) => {
      if (key && !isValid(key, post.createdAt)) throw keyNotValid();
      if (!hub || hub.deletedAt !== null) throw hubDeleted();
    },
    ...(files && { files }),
    ...(mayMention(post) ? { mentioned: (members) => mentionedMembers(post, members) } : {}),
  };
}

/** Creates a message. If both are sent, readers see and search `blocks`, and `text` is stored as sent. */
export async function createMessage(
  deps: PostDeps,
  origin: PostOrigin,
  { text, blocks, files }: CreateMessageBody,
): Promise<CreatedPost<CreatedMessage>> {
  if (text === undefined && blocks === undefined && files === undefined) {
    throw new AppError('invalid', 'A message requires text, blocks or files, and none can be empty');
  }
  const content = { body: text ?? null, blocks: blocks === undefined ? null : JSON.stringify(blocks) };
  const { id, createdAt, hub } = await createPost(deps, origin, { kind: 'message', ...content }, files);
  return { data: { id, conversationId: hub.conversationId, createdAt }, seq: hub.seq };
}

async function createNote(
  deps: PostDeps,
  origin: PostOrigin,
  { title, content, files }: CreateNoteBody,
): Promise<CreatedPost<CreatedNote>> {
  const fields = { kind: 'note', title: title ?? null, body: content } as const;
  const { id, createdAt, hub } = await createPost(deps, origin, fields, files);
  return { data: { id, bucketId: hub.notesBucketId, createdAt }, seq: hub.seq };
}

/** Creates an open to-do. Its due date is stored as an instant. */
async function createTodo(deps: PostDeps, origin: PostOrigin, sent: CreateTodoBody): Promise<CreatedPost<CreatedTodo>> {
  const { id, createdAt, hub } = await createPost(deps, origin, { kind: 'todo', ...storedFields(sent) }, sent.files);
  return { data: { id, bucketId: hub.todosBucketId, createdAt }, seq: hub.seq };
}

/** The public API: it only creates items, and takes their files. */
export function publicApiRoutes(deps: LiveDeps & FileDeps) {
  return servePublic({
    'POST /messages': async ({ context, body }) =>
      created(deps, context, await createMessage(deps, originOf(context), body)),
    'POST /notes': async ({ context, body }) => created(deps, context, await createNote(deps, originOf(context), body)),
    'POST /todos': async ({ context, body }) => created(deps, context, await createTodo(deps, originOf(context), body)),
    'POST /files': async ({ context, request, query }) => {
      const { key } = originOf(context);
      const data = await uploadFile(deps, {
        hubId: key.hubId,
        ...query,
        body: streamedBody(request),
        authorize: async (tx) => {
          const current = await tx.keys.find(key.id);
          if (!current || !isValid(current, deps.clock.now()) || deps.revocations.revokedAt(key.id) !== undefined)
            throw keyNotValid();
          if ((await tx.hubs.find(key.hubId))?.deletedAt !== null) throw hubDeleted();
        },
      });
      return { success: true, data };
    },
  });
}

/** Returns the source of a post: the key, address and ID of a request that passed the public gate. */
export function originOf({ key, address, requestId }: RequestContext): PostOrigin {
  if (!key) throw new Error('A route of the public API was reached without its gate');
  return { key, address, requestId };
}

/** Returns the body of the 201, and records the post for the log. */
export function created<Data extends { id: string }>(
  { live }: Pick<LiveDeps, 'live'>,
  context: RequestContext,
  { data, seq }: CreatedPost<Data>,
) {
  const { hubId } = originOf(context).key;
  // The views are counted with the log line, since an event that is not in memory is published a moment after the commit.
  context.posted = { hubId, itemId: data.id, seq, countViews: () => live.reachOf({ hubId, seq }) };
  return { success: true as const, data };
}
