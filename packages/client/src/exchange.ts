import type { Clock } from './clock.ts';
import { connectionError } from './connection-failure.ts';
import { HubTimeoutError } from './errors.ts';
import { onAbort } from './on-abort.ts';
import type { RawResponse } from './raw-response.ts';
import type { Settings } from './settings.ts';

/** More of a body is not read: an answer of a Hub is far smaller, and of a stranger's only the beginning is shown. */
const RESPONSE_BYTES = 64 * 1024;

export interface Exchange {
  url: string;
  body: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Sends one request and reads its answer, whatever its status. Rejects with the caller's reason on an abort, with
 * HubTimeoutError or with HubConnectionError; at once, even if `fetch` ignores that it was aborted.
 */
export function exchange(settings: Settings, clock: Clock, { url, body, timeoutMs, signal }: Exchange) {
  return new Promise<RawResponse>((resolve, reject) => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const settle = (finish: () => void) => {
      cancelTimer();
      stopListening();
      finish();
    };
    const giveUp = (reason: unknown) =>
      settle(() => {
        reject(reason);
        controller.abort(reason);
      });
    const stopListening = onAbort(signal, () => giveUp(signal?.reason));
    const cancelTimer =
      timeoutMs === Infinity ? () => {} : clock.setTimer(timeoutMs, () => giveUp(new HubTimeoutError(timeoutMs)));
    fetchResponse(settings, url, body, controller.signal).then(
      (result) => settle(() => resolve(result)),
      (thrown) => settle(() => reject(connectionError(thrown, new URL(url).origin))),
    );
  });
}

async function fetchResponse(settings: Settings, url: string, body: string, signal: AbortSignal): Promise<RawResponse> {
  const response = await settings.fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      'content-type': 'application/json',
      'user-agent': settings.userAgent,
    },
    body,
    signal,
    // A redirect followed would carry the key to an address that nobody chose.
    redirect: 'manual',
    // A kept connection may be closed by the server just as the next post goes out, which then cannot be told from one
    // that was lost after it was accepted. A key posts 60 times a minute at most: a connection each is cheap.
    keepalive: false,
  });
  const text = await readBeginning(response);
  // A proxy's page may quote the request with its headers; nothing that is shown later may hold the key.
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
