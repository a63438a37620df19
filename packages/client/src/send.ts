import { HubBlockedError } from './api-errors.ts';
import { API_PATH } from './base-url.ts';
import { type Clock, sleep } from './clock.ts';
import { wasRefused } from './connection-failure.ts';
import { exchange } from './exchange.ts';
import type { PostOptions } from './options.ts';
import type { Pacers } from './pacers.ts';
import type { Turn } from './pacing.ts';
import { describeResponse } from './raw-response.ts';
import { readResponse } from './read-response.ts';
import type { HubResponse } from './response.ts';
import { readFunction, readTimeoutMs, type Settings } from './settings.ts';

/** What the client cannot make up by itself: the time, and what the other clients of the process do. */
export interface RuntimeEnvironment {
  clock: Clock;
  pacers: Pacers;
}

export interface Post {
  endpoint: 'messages' | 'notes' | 'todos';
  /** The field of the answer's `data` that says where the item was put. */
  containerField: 'conversationId' | 'bucketId';
  /** The JSON text of the request. */
  body: string;
  options: PostOptions;
}

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

/**
 * Posts one item, and again only after what surely made none: a block that may be waited out, and a refused connection.
 * A call keeps its place before later calls when it is sent again.
 */
export async function send<T>(settings: Settings, { clock, pacers }: RuntimeEnvironment, post: Post): Promise<T> {
  const { signal } = post.options;
  signal?.throwIfAborted();
  const url = `${settings.baseUrl}${API_PATH}/${post.endpoint}`;
  const timeoutMs = readTimeoutMs(post.options.timeoutMs ?? settings.timeoutMs);
  readFunction('onResponse', post.options.onResponse);
  const pacer = pacers.of(settings.baseUrl, settings.apiKey);
  const place = pacer.takePlace({ paced: settings.pacing, blockWaitMs: settings.blockWaitMs, signal });
  for (let errors = 0; ; ) {
    const turn = await pacer.turn(place);
    try {
      const response = await exchange(settings, clock, { url, body: post.body, timeoutMs, signal });
      report(describeResponse(response, new URL(url).pathname), post.options.onResponse, settings.onResponse);
      const data = readResponse<T>(response, url, post.containerField);
      turn.end();
      return data;
    } catch (error) {
      const isRefused = wasRefused(error);
      const waitsForBlock = endTurn(turn, error, isRefused);
      if (waitsForBlock) continue;
      if (!isRefused || errors >= settings.connectRetries) throw error;
    }
    await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** errors, MAX_RETRY_MS), signal);
    errors += 1;
  }
}

/** Ends the turn by what came of it; true if the request is to be sent again after the block. */
function endTurn(turn: Turn, error: unknown, isRefused: boolean): boolean {
  if (error instanceof HubBlockedError) return turn.endBlocked(error.retryAfterSeconds);
  if (isRefused) turn.endUnsent();
  else turn.end();
  return false;
}

function report(response: HubResponse, ...listeners: PostOptions['onResponse'][]): void {
  for (const listener of listeners) {
    try {
      listener?.(response);
    } catch (error) {
      // The post is made: a fault of a listener must be seen, but must not look like a failed post, which gets repeated.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
