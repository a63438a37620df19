import type { IssuedKey } from '@hub/contract';
import {
  type Connection,
  idOf,
  openConnection,
  POST_KINDS,
  type PostKind,
  postRequest,
  type RawResponse,
  until,
  withConcurrency,
} from '@hub/testkit';

/** A key can send 60 requests per minute to one process, and proofs send some in addition to the load. */
const POSTS_PER_KEY = 55;
/** A request without a response after this time is considered hung. */
const RESPONSE_MS = 5_000;
/** The pause after a 503. */
const REJECTED_REST_MS = 15;

type LoadKey = Pick<IssuedKey, 'id' | 'key'>;

export type PostLedger = ReturnType<typeof createLedger>;

/** Returns everything that a proof knows about a data folder, independent of the servers that used it. */
export function createLedger(keys: readonly LoadKey[]) {
  /** Maps the text of each sent post, which is unique, to the kind and key of the post. */
  const sent = new Map<string, { readonly kind: PostKind; readonly keyId: string }>();
  return {
    keys,
    sent,
    sentAs: (text: string) => sent.get(text),
    /** Maps the id in each 201 to the text of the post. */
    acknowledged: new Map<string, string>(),
    issued: new Set(keys.map(({ id }) => id)),
    revoked: new Set<string>(),
    /** The text of each post that got a 503, which means that the post is not stored. */
    rejected: new Set<string>(),
    /** Other responses, and requests that hung. */
    unexpected: [] as string[],
  };
}

interface PostLoadOptions {
  readonly connections?: number;
  /** Texts are up to this long. */
  readonly maxCharacters?: number;
  /** The pause between the posts of a connection. */
  readonly restMs?: number;
  /** The number of posts that are due each second, if there is a pace; by default each connection posts all the time. */
  readonly perSecond?: number;
  /** The number of posts; by default as many as the keys may send in a minute, or any number at a pace. */
  readonly posts?: number;
}

export type PostLoad = ReturnType<typeof startPostLoad>;

/** Posts over several connections until it is stopped or the server has exited. */
export function startPostLoad(
  ledger: PostLedger,
  port: number,
  { connections = 8, maxCharacters = 8_000, restMs = 2, perSecond, posts }: PostLoadOptions = {},
) {
  const { keys, sent, acknowledged, unexpected, rejected } = ledger;
  const turn = perSecond === undefined ? undefined : pace(perSecond);
  let left = posts ?? (perSecond === undefined ? keys.length * POSTS_PER_KEY : Number.POSITIVE_INFINITY);
  let latencies: number[] | undefined;
  let isStopped = false;
  let awaited: { sentAfter: number; resolve: () => void } | undefined;

  /** The lengths vary widely, so that pages fill up in many ways. */
  const next = (): { request: string; text: string } => {
    const serial = sent.size + 1;
    const { id: keyId, key } = keys[serial % keys.length] as LoadKey;
    const kind = POST_KINDS[serial % POST_KINDS.length] as PostKind;
    const most = kind === 'todos' ? Math.min(200, maxCharacters) : maxCharacters;
    const text = `Post ${serial} ${'x'.repeat(Math.floor(Math.random() ** 3 * most))}`;
    sent.set(text, { kind, keyId });
    return { request: postRequest(kind, key, text), text };
  };
  const isAcknowledged = (response: RawResponse, text: string, sentAt: number): boolean => {
    if (response.status === 201) {
      acknowledged.set(idOf(response), text);
      if (awaited && sentAt >= awaited.sentAfter) awaited.resolve();
      return true;
    }
    const problem = problemOfError(response.status, response.body, 503);
    if (problem) unexpected.push(problem);
    else rejected.add(text);
    return false;
  };
  const post = async (): Promise<void> => {
    let connection = await openConnection(port);
    while (!isStopped && left > 0) {
      left -= 1;
      const sentAt = (await turn?.()) ?? performance.now();
      if (isStopped) break;
      const { request, text } = next();
      const into = latencies;
      const response = await responseOf(connection, request);
      if (response === 'gone') return;
      into?.push(performance.now() - sentAt);
      if (response === 'late') {
        unexpected.push(`no response within ${RESPONSE_MS} ms`);
        connection.close();
        connection = await openConnection(port);
      } else if (!isAcknowledged(response, text, sentAt)) {
        await Bun.sleep(REJECTED_REST_MS);
      }
      if (restMs > 0) await Bun.sleep(restMs);
    }
    connection.close();
  };
  const loops = Promise.all(Array.from({ length: connections }, post));

  return {
    /** The number of posts that the server process can still get. */
    get left() {
      return left;
    },
    /** Returns the milliseconds that the posts sent while `work` runs took; those that are late count from when they were due. */
    during: async (work: () => Promise<unknown>): Promise<number[]> => {
      const measured: number[] = [];
      latencies = measured;
      await work();
      latencies = undefined;
      return measured;
    },
    /** Resolves once all posts are sent, or the server has exited. */
    done: async (): Promise<void> => void (await loops),
    /** Waits until a post sent after this call returns 201, but at most `maxMs`. Returns the elapsed milliseconds. */
    untilAcknowledged: async (maxMs: number): Promise<number> => {
      const start = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited = { sentAfter: start, resolve };
      await Promise.race([promise, Bun.sleep(maxMs)]);
      awaited = undefined;
      return performance.now() - start;
    },
    /** Resolves with true once this many more posts have been rejected with 503, or with false if that takes too long. */
    untilRejected: async (count: number, maxMs: number): Promise<boolean> => {
      const wanted = rejected.size + count;
      return until(maxMs, () => rejected.size >= wanted || left === 0, 2).then(() => rejected.size >= wanted);
    },
    /** Resolves once every request has its response, or can no longer get one. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await loops;
    },
  };
}

/** Starts a load of short posts at a pace. */
export function startPacedLoad(ledger: PostLedger, port: number, perSecond: number): PostLoad {
  return startPostLoad(ledger, port, { connections: 24, maxCharacters: 800, restMs: 0, perSecond });
}

/** Returns `gone` if the connection ended without a response. */
async function responseOf(connection: Connection, request: string): Promise<RawResponse | 'gone' | 'late'> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), RESPONSE_MS);
  const response = await Promise.race([connection.send(request).catch(() => 'gone' as const), late.promise]);
  clearTimeout(timer);
  return response;
}

/**
 * Returns a function that waits until the next of `perSecond` turns is due. A late turn does not delay the next ones.
 * Resolves with the time from which its work counts: that of the due turn, if nobody was waiting for it.
 */
export function pace(perSecond: number): () => Promise<number> {
  const start = performance.now();
  let taken = 0;
  return async () => {
    const dueAt = start + (taken * 1000) / perSecond;
    taken += 1;
    if (performance.now() >= dueAt) return dueAt;
    await Bun.sleep(dueAt - performance.now());
    // A timer that fires late in this process must not count against the server.
    return performance.now();
  };
}

/** Describes how a response differs from an error with this status and exactly the four fields; null if it does not. */
export function problemOfError(status: number, body: string, expectedStatus = status): string | null {
  const excerpt = `${status} ${body.slice(0, 300)}`;
  if (status !== expectedStatus) return excerpt;
  try {
    const { statusCode, message, timestamp, path, ...rest } = JSON.parse(body) as Record<string, unknown>;
    const isWhole = typeof message === 'string' && typeof timestamp === 'string' && typeof path === 'string';
    return isWhole && statusCode === expectedStatus && Object.keys(rest).length === 0 ? null : excerpt;
  } catch {
    return excerpt;
  }
}

/**
 * Sends raw requests in this order over several connections (a closed loop: each sends its next request after the response
 * to the last). Returns the responses in the same order.
 */
export async function sendAll(port: number, requests: readonly string[], connections = 64): Promise<RawResponse[]> {
  const idle: Connection[] = [];
  const send = async (request: string): Promise<RawResponse> => {
    const connection = idle.pop() ?? (await openConnection(port));
    const response = await connection.send(request);
    if (/^close$/i.test(response.header('Connection') ?? '')) connection.close();
    else idle.push(connection);
    return response;
  };
  const responses = await withConcurrency(requests, send, connections);
  for (const connection of idle) connection.close();
  return responses;
}
