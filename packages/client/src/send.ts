import { PUBLIC_API_PATH } from '@hub/contract/paths';
import { HubBlockedError } from './api-errors.ts';
import { type Clock, sleep } from './clock.ts';
import { isRetryable } from './connection-failure.ts';
import { exchange } from './exchange.ts';
import type { PostOptions } from './options.ts';
import type { Pacers } from './pacers.ts';
import type { Turn } from './pacing.ts';
import { describeResponse } from './raw-response.ts';
import { readResponse } from './read-response.ts';
import { readFunction, readTimeoutMs, type Settings } from './settings.ts';

/** The clock and the state that all clients of the process share. */
export interface RuntimeEnvironment {
  clock: Clock;
  pacers: Pacers;
}

export interface Post {
  endpoint: 'messages' | 'notes' | 'todos';
  /** The field of the response's `data` with the ID of the conversation or bucket. */
  containerField: 'conversationId' | 'bucketId';
  /** The JSON text of the request. */
  body: string;
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
  const { onRequest, onResponse } = post.options;
  readFunction('onRequest', onRequest);
  readFunction('onResponse', onResponse);
  const { pathname: path } = new URL(url);
  const pacer = pacers.of(settings.baseUrl, settings.apiKey);
  const slot = pacer.takeSlot({ paced: settings.pacing, blockWaitMs: settings.blockWaitMs, signal });
  let errors = 0;
  for (let attempt = 1; ; attempt += 1) {
    const turn = await pacer.turn(slot);
    try {
      const request = { path, attempt };
      report(request, onRequest, settings.onRequest);
      const startedAt = clock.now();
      const response = await exchange(settings, clock, { url, body: post.body, timeoutMs, signal });
      report(describeResponse(response, request, clock.now() - startedAt), onResponse, settings.onResponse);
      const data = readResponse<T>(response, url, post.containerField);
      turn.end();
      return data;
    } catch (error) {
      const canRetry = isRetryable(error);
      const waitsForBlock = endTurn(turn, error, canRetry);
      if (waitsForBlock) continue;
      if (!canRetry || errors >= settings.connectRetries) throw error;
    }
    await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** errors, MAX_RETRY_MS), signal);
    errors += 1;
  }
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
