import type { HubClient, HubErrorKind, HubResponse } from '@hub/client';
import { retryAfterSeconds } from '@hub/contract/retry-after';
import type { Cli } from '../../runtime/cli.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError, failed, responseError, unreachableError } from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import { proxyError } from '../../runtime/network.ts';
import { Progress } from '../../runtime/progress.ts';
import { type Attachment, upload } from './attachments.ts';
import type { PostServer } from './options.ts';

/** The client library. It is loaded on demand, since most commands do not need it. */
export type Client = typeof import('@hub/client');

export type PostKind = 'message' | 'note' | 'todo';

/** A created item. Messages also have `conversationId`, notes and to-dos `bucketId`. */
export interface Created {
  id: string;
  createdAt: string;
}

export interface Delivery {
  kind: PostKind;
  input: object;
  runMarker: string | null;
  attachments?: readonly Attachment[] | undefined;
}

interface DeliveryOptions {
  key: string;
  server: PostServer;
  timeoutMs: number;
  /** How long to wait for blocks to end, in milliseconds. */
  waitMs: number;
  onResponse?: (response: HubResponse) => void;
}

/**
 * The fate of a post that failed. `unsent`: it did not arrive, and may arrive later. `refused`: it did not
 * arrive, and no other post with this server and key would. `invalid`: the server does not accept this post.
 * `uncertain`: it may have arrived.
 */
type Fate = 'unsent' | 'refused' | 'invalid' | 'uncertain';

/** A failed post. `cause` is the error for the user. */
export class PostFailure extends Error {
  constructor(
    readonly fate: Fate,
    override readonly cause: unknown,
  ) {
    super('The post failed', { cause });
  }
}

/** Posts one item. @throws PostFailure */
export async function deliver(
  cli: Cli,
  client: Client,
  { kind, input, runMarker, attachments = [] }: Delivery,
  { key, server, timeoutMs, waitMs, onResponse }: DeliveryOptions,
): Promise<Created> {
  let uploaded: Attachment | undefined;
  try {
    const hub = new client.HubClient({
      baseUrl: server.baseUrl,
      apiKey: key,
      timeoutMs,
      // A single post needs no pacing, and posts from other processes are unknown here.
      pacing: false,
      waitWhenBlocked: waitMs,
      userAgent: `hubctl/${cli.deps.version}`,
      onResponse,
      fetch: async (url, init) => {
        const response = await uploading(cli, server.fetch, url, init as BunFetchRequestInit);
        reportWaiting(cli, response, waitMs);
        return response;
      },
    });
    const files: string[] = [];
    for (const attachment of attachments) {
      uploaded = attachment;
      files.push(await upload(hub, attachment));
    }
    uploaded = undefined;
    return await create(hub, kind, files.length > 0 ? { ...input, files } : input, runMarker ?? undefined);
  } catch (error) {
    const [fate, cause] = [fateOf(client, error), postFailure(client, error, server, waitMs)];
    if (uploaded && fate === 'invalid' && cause instanceof CliError)
      throw new PostFailure(fate, cause.with({ message: `${uploaded.name}: ${cause.message}` }));
    if (!uploaded || fate !== 'uncertain') throw new PostFailure(fate, cause);
    // A file that arrived belongs to no post, and is deleted.
    const nothing = { hint: 'Nothing was posted. Try again.', mayHaveCreated: undefined };
    throw new PostFailure('unsent', cause instanceof CliError ? cause.with(nothing) : cause);
  }
}

/** Sends a request, and shows how much of a file has been sent. Only then is the file sent as a stream. */
async function uploading(cli: Cli, send: Fetch, url: string, init: BunFetchRequestInit): Promise<Response> {
  const { body } = init;
  if (!(body instanceof Blob)) return await send(url, init);
  const progress = new Progress(cli, `Uploading ${new URL(url).searchParams.get('name')}`);
  try {
    if (!progress.isShown) return await send(url, init);
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        progress.add(chunk.byteLength, body.size);
        controller.enqueue(chunk);
      },
    });
    const headers = { ...(init.headers as Record<string, string>), 'content-length': String(body.size) };
    return await send(url, { ...init, headers, body: body.stream().pipeThrough(count), duplex: 'half' } as typeof init);
  } finally {
    progress.end();
  }
}

async function create(hub: HubClient, kind: PostKind, input: object, runMarker: string | undefined): Promise<Created> {
  const resource = { message: hub.messages, note: hub.notes, todo: hub.todos }[kind];
  // The input was built for this kind; the server validates it.
  return await (resource as { create: (input: object, options: object) => Promise<Created> }).create(input, {
    runMarker,
  });
}

/** Nothing but another post helps. The same key may well be able to post the other kinds. */
const INVALID: readonly HubErrorKind[] = ['usage', 'invalid', 'too_large', 'unsupported_media_type', 'missing_scope'];
const UNSENT: readonly HubErrorKind[] = ['rate_limited', 'unavailable', 'unreachable'];

function fateOf(client: Client, error: unknown): Fate {
  if (!(error instanceof client.HubError) || error.mayHaveCreated) return 'uncertain';
  if (INVALID.includes(error.kind)) return 'invalid';
  return UNSENT.includes(error.kind) ? 'unsent' : 'refused';
}

export const CHECK_FIRST = 'The post may have been accepted. Check before you post again.';

function reportWaiting(cli: Cli, response: Response, waitMs: number): void {
  const seconds = retryAfterSeconds(response.headers) ?? Number.NaN;
  if (response.status !== 403 || !(seconds * 1000 <= waitMs)) return;
  cli.output.note(`The key is rate-limited. Retrying in ${count(seconds, 'second')}.`);
}

/** Converts an error from the client library into one with an exit code and a hint. */
function postFailure(client: Client, error: unknown, { baseUrl, proxy }: PostServer, waitMs: number): unknown {
  if (!(error instanceof client.HubError)) return error;
  // The options of hubctl have other names than those of the client library.
  const message = error.message.replaceAll(/\bbaseUrl\b/g, 'the URL (--url, HUB_URL)');
  const checkFirst = { hint: CHECK_FIRST, mayHaveCreated: true };
  if (error instanceof client.HubTimeoutError) {
    const seconds = count(error.timeoutMs / 1000, 'second');
    return new CliError('timeout', `The server did not respond within ${seconds}.`, checkFirst);
  }
  if (error instanceof client.HubConnectionError) {
    if (error.mayHaveCreated) return new CliError('unreachable', message, checkFirst);
    if (proxy !== undefined && error.code !== undefined && !error.handshakeFailed) {
      const problem = proxyError(proxy, new URL(baseUrl).origin, error.code);
      return problem.with({ message: `${problem.message} Nothing was posted.` });
    }
    const hint = 'Check the URL (--url, HUB_URL) and that the server is running.';
    return unreachableError(message, error.handshakeFailed ? undefined : hint);
  }
  if (!(error instanceof client.HubResponseError)) return failed('invalid', message);
  const { statusCode, requestId, retryAfterSeconds, kind } = error;
  if (!(error instanceof client.HubApiError)) {
    const details = { statusCode, requestId, mayHaveCreated: error.mayHaveCreated || undefined };
    return new CliError(kind === 'redirected' ? kind : 'unexpected_response', message, details);
  }
  // After these, the same post may well succeed later.
  const isTemporary = kind === 'rate_limited' || kind === 'unavailable';
  const wait = error instanceof client.HubBlockedError ? `, or ${waitMs > 0 ? 'raise --wait-max' : 'add --wait'}` : '';
  const hint =
    isTemporary && retryAfterSeconds !== undefined
      ? `Try again in ${count(retryAfterSeconds, 'second')}${wait}.`
      : undefined;
  return responseError({ statusCode, message, requestId, retryAfterSeconds, hint });
}
