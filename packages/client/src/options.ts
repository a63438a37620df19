import type { HubResponse } from './response.ts';

/** The part of `fetch` that the client uses. */
export type HubFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a client. */
export interface HubClientOptions {
  /** The address of the server, such as `https://hub.example.com`, with the path of a prefix if it has one. */
  baseUrl: string | URL;
  /** The Hub's key, `hub_live_…`. It is sent in the `Authorization` header to `baseUrl` and nowhere else. */
  apiKey: string;
  /**
   * How long one request may take from being sent to the end of its answer, in milliseconds; `Infinity` for no limit.
   * Waiting for a turn or for a block to end does not count. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Whether to hold requests back so that this process alone cannot get the key blocked: at most 60 are unanswered
   * or were answered within the last 60 seconds. All clients of the process with the same address and key share one
   * count. Default true.
   */
  pacing?: boolean | undefined;
  /**
   * Whether to wait out a block and post then, instead of failing with `HubBlockedError`: `true`, or how many
   * milliseconds one call may wait. Needed if several processes share a key. Default false.
   */
  waitWhenBlocked?: boolean | number | undefined;
  /** How often a refused connection is tried again, after 200 ms, 400 ms and so on up to 5 s. Default 3. */
  connectRetries?: number | undefined;
  /** Called instead of the global `fetch`, to go through a proxy or a unix socket. It must not repeat a request. */
  fetch?: HubFetch | undefined;
  /** Put before the client's own name in `User-Agent`, such as `deploy-bot/2.1`. */
  userAgent?: string | undefined;
  /**
   * Told of every answer, also of refusals and of the ones that are waited out: for logs and gauges. What it throws
   * surfaces as an uncaught error and changes nothing for the post.
   */
  onResponse?: ((response: HubResponse) => void) | undefined;
}

/** Options of one post. */
export interface PostOptions {
  /** Ends the call, at whatever stage it is; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /**
   * A word that names this run, such as `build-4711`, put visibly at the end of the item (see `withRunMarker`), so that
   * a search finds what an interrupted run had already posted.
   */
  runMarker?: string | undefined;
  /** Told of every answer to this call, before the client's own `onResponse`. */
  onResponse?: ((response: HubResponse) => void) | undefined;
}
