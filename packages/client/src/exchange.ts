import type { Clock } from './clock.ts';
import { HubConnectionError, HubTimeoutError } from './errors.ts';
import { onAbort } from './on-abort.ts';
import type { RawResponse } from './raw-response.ts';
import type { Settings } from './settings.ts';

/** How much of a body is read. Responses from a Hub are far smaller; only the beginning of any other body is shown. */
const RESPONSE_BYTES = 64 * 1024;

/** The JSON text of a request, or a file. */
export type RequestBody = string | Blob | Uint8Array;

interface Exchange {
  url: string;
  body: RequestBody;
  contentType?: string | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Sends one request and reads its response, whatever its status. Rejects with the caller's reason on an abort, and
 * otherwise with HubTimeoutError or HubConnectionError. Does not wait for a `fetch` that ignores its signal.
 */
export function exchange(settings: Settings, clock: Clock, { timeoutMs, signal, ...request }: Exchange) {
  return new Promise<RawResponse>((resolve, reject) => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const settle = (finish: () => void) => {
      cancelTimer();
      stopListening();
      finish();
    };
    const fail = (reason: unknown) =>
      settle(() => {
        reject(reason);
        controller.abort(reason);
      });
    const stopListening = onAbort(signal, () => fail(signal?.reason));
    const cancelTimer =
      timeoutMs === Infinity ? () => {} : clock.setTimer(timeoutMs, () => fail(new HubTimeoutError(timeoutMs)));
    const { url } = request;
    fetchResponse(settings, request, controller.signal).then(
      (result) => settle(() => resolve(result)),
      async (thrown) => {
        const error = await explain(thrown, url, settings.fetch === undefined);
        settle(() => reject(error));
      },
    );
  });
}

/** Returns the error for what `fetch` threw. Most programs never need this code, so it is loaded on demand. */
export async function explain(thrown: unknown, url: string, isOwnFetch: boolean): Promise<HubConnectionError> {
  try {
    const { connectionError } = await import('./connection-failure.ts');
    return connectionError(thrown, url, isOwnFetch);
  } catch {
    const message = `The connection to ${new URL(url).origin} failed; the post may have been created.`;
    return new HubConnectionError(message, { mayHaveCreated: true, cause: thrown });
  }
}

async function fetchResponse(
  settings: Settings,
  { url, body, contentType = 'application/json' }: Pick<Exchange, 'url' | 'body' | 'contentType'>,
  signal: AbortSignal,
): Promise<RawResponse> {
  const response = await (settings.fetch ?? fetch)(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      'content-type': contentType,
      'user-agent': settings.userAgent,
    },
    body: body as NonNullable<RequestInit['body']>,
    signal,
    // Following a redirect would send the key to another server.
    redirect: 'manual',
    // The server may close a keep-alive connection just as the next post is sent. That is indistinguishable from losing
    // the connection after the post was accepted. A key posts at most 60 times a minute, so a connection for each post
    // is cheap.
    ...(settings.keepAlive ? {} : { keepalive: false }),
  });
  const text = await readBeginning(response);
  // A proxy's page may quote the request headers, so remove the key from everything that could be shown later.
  return { status: response.status, headers: response.headers, body: text.replaceAll(settings.apiKey, 'hub_live_…') };
}

async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < RESPONSE_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
