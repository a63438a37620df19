import type { HubRequest, HubResponse, HubWait } from './response.ts';

/** The part of `fetch` that the client uses. */
export type HubFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a client. */
export interface HubClientOptions {
  /**
   * The URL of the server, such as `https://hub.example.com`, including a path prefix if it has one. Default: the
   * environment variable `HUB_URL`.
   */
  baseUrl?: string | URL | undefined;
  /**
   * The Hub's key, `hub_live_…`. It is sent in the `Authorization` header to `baseUrl` and nowhere else. Default: the
   * environment variable `HUB_API_KEY`.
   */
  apiKey?: string | undefined;
  /**
   * The maximum time from sending a request to the end of its response, in milliseconds; `Infinity` for no limit.
   * Waiting for a turn or for a block to end does not count. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Whether to delay requests so that this process does not get the key blocked: at any time, at most 60 requests are
   * waiting for a response or got one within the last 60 seconds. All clients in the process with the same URL and key
   * share one count. Default true.
   */
  pacing?: boolean | undefined;
  /**
   * Whether to wait for the end of a block and then post, instead of failing with `HubBlockedError`: `true`, or how
   * many milliseconds one call may wait. Needed if several processes share a key. Default false.
   */
  waitWhenBlocked?: boolean | number | undefined;
  /** How many times to retry a refused connection: after 200 ms, 400 ms and so on, at most 5 s apart. Default 3. */
  connectRetries?: number | undefined;
  /** Called instead of the global `fetch`, to use a proxy or a unix socket. It must not retry requests. */
  fetch?: HubFetch | undefined;
  /** Text before the client's own name in `User-Agent`, such as `deploy-bot/2.1`. */
  userAgent?: string | undefined;
  /**
   * Whether to use a connection for several posts. It saves a handshake per post. If a server or a proxy closes an idle
   * connection just as a post is sent, that post fails as `uncertain`; it is never sent twice. Only Bun has this choice:
   * Node, Deno and edge runtimes reuse connections anyway. Default false.
   */
  keepAlive?: boolean | undefined;
  /** Called before each request is sent. If it throws, the same happens as for `onResponse`. */
  onRequest?: ((request: HubRequest) => void) | undefined;
  /**
   * Called with every response, including errors and blocks that the client waits for. Use it for logs and metrics. If
   * it throws, the exception surfaces as an uncaught error and does not affect the post.
   */
  onResponse?: ((response: HubResponse) => void) | undefined;
  /** Called when a call begins to wait for its turn or for the end of a block. If it throws: as for `onResponse`. */
  onWait?: ((wait: HubWait) => void) | undefined;
}

/** Options of one post. */
export interface PostOptions {
  /** Ends the call at any stage. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /**
   * A name for this run, such as `build-4711`. It is added visibly to the end of the item (see `withRunMarker`), so
   * that a search finds the posts of an interrupted run.
   */
  runMarker?: string | undefined;
  /** Called before each request of this call, before the client's own `onRequest`. */
  onRequest?: ((request: HubRequest) => void) | undefined;
  /** Called with every response to this call, before the client's own `onResponse`. */
  onResponse?: ((response: HubResponse) => void) | undefined;
  /** Called when this call begins to wait, before the client's own `onWait`. */
  onWait?: ((wait: HubWait) => void) | undefined;
}

/** Options of one upload. */
export interface UploadOptions extends Omit<PostOptions, 'runMarker'> {
  /** The name that members see, such as `report.png`: without folders, at most 255 characters. */
  name: string;
  /** By default, the type of a Blob. Without one, the server sets `application/octet-stream`. */
  contentType?: string | undefined;
}
