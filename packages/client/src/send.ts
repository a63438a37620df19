import { PUBLIC_API_PATH } from '@hub/contract/paths';
import { HubBlockedError } from './api-errors.ts';
import { type Clock, sleep } from './clock.ts';
import { HubConnectionError } from './errors.ts';
import { exchange, type RequestBody } from './exchange.ts';
import type { PostOptions } from './options.ts';
import type { Pacers, Turn } from './pacing.ts';
import { describeResponse } from './raw-response.ts';
import { readResponse } from './read-response.ts';
import { readFunction, readTimeoutMs, type Settings } from './settings.ts';

/** The clock and the state that all clients of the process share. */
export interface RuntimeEnvironment {
  clock: Clock;
  pacers: Pacers;
}

export interface Post {
  endpoint: 'messages' | 'notes' | 'todos' | `files?name=${string}`;
  /** A field of the response's `data`: the ID of the conversation or bucket, the name of the file. */
  expectedField: 'conversationId' | 'bucketId' | 'name';
  /** Called once, after the call has its place in the queue. */
  body: () => Promise<RequestBody>;
  /** `application/json` by default. */
  contentType?: string | undefined;
  options: PostOptions;
}

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

/**
 * Posts one item. Retries only requests that are certain to have created nothing: after a block, if waiting is allowed,
 * and after a refused connection. A retried call keeps its slot in the queue.
 */
export async function send<T>(settings: Settings, { clock, pacers }: RuntimeEnvironment, post: Post): Promise<T> {
  const { signal } = post.options;
  signal?.throwIfAborted();
  const url = `${settings.baseUrl}${PUBLIC_API_PATH}/${post.endpoint}`;
  const timeoutMs = readTimeoutMs(post.options.timeoutMs ?? settings.timeoutMs);
  const { onRequest, onResponse, onWait } = post.options;
  readFunction('onRequest', onRequest);
  readFunction('onResponse', onResponse);
  readFunction('onWait', onWait);
  const { pathname: path } = new URL(url);
  const pacer = pacers.of(settings.baseUrl, settings.apiKey);
  let attempt = 1;
  const slot = pacer.takeSlot({
    paced: settings.pacing,
    blockWaitMs: settings.blockWaitMs,
    signal,
    onWait: (reason, waitMs) => report({ path, attempt, reason, waitMs }, onWait, settings.onWait),
  });
  const body = await post.body();
  let errors = 0;
  for (; ; attempt += 1) {
    const turn = await pacer.turn(slot);
    try {
      const request = { path, attempt };
      report(request, onRequest, settings.onRequest);
      const startedAt = clock.now();
      const response = await exchange(settings, clock, { ...post, body, url, timeoutMs, signal });
      report(describeResponse(response, request, clock.now() - startedAt), onResponse, settings.onResponse);
      const data = await readResponse<T>(response, url, post.expectedField);
      turn.end();
      return data;
    } catch (error) {
      const canRetry = error instanceof HubConnectionError && !error.mayHaveCreated && (await isRetryable(error));
      const waitsForBlock = endTurn(turn, error, canRetry);
      if (waitsForBlock) continue;
      if (!canRetry || errors >= settings.connectRetries) throw error;
    }
    await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** errors, MAX_RETRY_MS), signal);
    errors += 1;
  }
}

async function isRetryable(error: HubConnectionError): Promise<boolean> {
  return (await import('./connection-failure.ts')).isRetryable(error);
}

/** Ends the turn after an error. Returns true if the request is to be retried after the block. */
function endTurn(turn: Turn, error: unknown, canRetry: boolean): boolean {
  if (error instanceof HubBlockedError) return turn.endBlocked(error.retryAfterSeconds);
  if (canRetry) turn.endUnsent();
  else turn.end();
  return false;
}

function report<T>(event: T, ...listeners: (((event: T) => void) | undefined)[]): void {
  for (const listener of listeners) {
    try {
      listener?.(event);
    } catch (error) {
      // An error in a listener must surface, but must not look like a failed post, which may be retried.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
