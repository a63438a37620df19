import type { ErrorBody, IssueKeyBody } from '@hub/contract';
import type { PostKind } from '../http.ts';
import type { TestHub } from './test-hub.ts';

export interface PublicRequest {
  method?: string;
  path?: string;
  /** `null` sends no header; otherwise the complete value of the header. */
  authorization?: string | null;
  contentType?: string | null;
  /** Bytes and streams are sent as they are, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Creates a caller with its own key and Hub. A key can send 60 requests per minute of the test clock, so each test, or
 * each small group of tests, has its own caller.
 */
export async function publicCaller(hub: TestHub, input: Partial<IssueKeyBody> = {}) {
  const { id: keyId, key, hubId } = await hub.admin.issueKey(input);
  const request = (path: string, options: PublicRequest = {}): Promise<Response> => {
    const { method = 'POST', authorization = `Bearer ${key}`, contentType = 'application/json' } = options;
    return hub.fetch(path, {
      method,
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: encode(options.body) }),
    });
  };
  const post = (kind: PostKind, body: unknown, options: PublicRequest = {}): Promise<Response> =>
    request(`/api/public/v1/${kind}`, { ...options, body });
  return {
    hubId,
    keyId,
    key,
    request,
    post,
    /** Returns the message of a 400 response. Throws on any other status. */
    async error(kind: PostKind, body: unknown): Promise<string> {
      const response = await post(kind, body);
      const text = await response.text();
      if (response.status !== 400) throw new Error(`Expected an error, got ${response.status} ${text}`);
      return (JSON.parse(text) as ErrorBody).message;
    },
    /** Returns the stored post. Throws if it was rejected. */
    async stored(kind: PostKind, body: unknown): Promise<StoredItem> {
      const response = await post(kind, body);
      const text = await response.text();
      if (response.status !== 201) throw new Error(`Expected a post, got ${response.status} ${text}`);
      return storedItem(hub, (JSON.parse(text) as CreatedResponse).data.id);
    },
  };
}

/** The body of any 201 response. */
interface CreatedResponse {
  success: true;
  data: { id: string; conversationId?: string; bucketId?: string; createdAt: string };
}

export async function createdOf(response: Response): Promise<CreatedResponse> {
  return (await response.json()) as CreatedResponse;
}

export async function errorOf(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody;
}

type StoredItem = Record<'id' | 'hubId' | 'kind' | 'keyId' | 'address' | 'requestId', string> &
  Record<'title' | 'body' | 'blocks' | 'priority' | 'status', string | null> & {
    createdAt: number;
    dueAt: number | null;
  };

/** Reads an item from the database directly, as another process would see it. */
export async function storedItem(hub: TestHub, id: string): Promise<StoredItem> {
  const [row] = await hub.query<StoredItem>(
    `select id, (select id from hubs where number = hub_number) as "hubId", kind, key_id as "keyId", address,
      request_id as "requestId", created_at as "createdAt", title, body, blocks, due_at as "dueAt", priority, status
      from items where id = $1`,
    id,
  );
  if (!row) throw new Error(`${id} is not stored`);
  // PostgreSQL returns large integers as text.
  return { ...row, createdAt: Number(row.createdAt), dueAt: row.dueAt === null ? null : Number(row.dueAt) };
}

function encode(body: unknown): Uint8Array<ArrayBuffer> | ReadableStream {
  if (body instanceof ReadableStream) return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  // As bytes, because fetch adds a Content-Type of its own to a string.
  return new TextEncoder().encode(JSON.stringify(body));
}
