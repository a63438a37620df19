import { errorBodyOf, type JsonObject, type WorkspaceClient, workspaceClient } from '@hub/client/workspace';
import { retryAfterSeconds } from '@hub/contract/retry-after';
import type { Fetch } from './deps.ts';
import { type CliError, failed, responseError, unreachableError } from './errors.ts';
import { CHECK_FIRST } from './network.ts';

/** For a server that does not respond as this hubctl expects. */
export const SAME_VERSION_HINT = 'Check that hubctl and the server have the same version: hubctl status';

/** The workspace API, with errors as `CliError`. */
export type WorkspaceApi = WorkspaceClient;

/** Connects to the workspace API at `url`, else over a socket. `unauthenticatedHint` is one more hint for a 401. */
export function workspaceApi(fetch: Fetch, url?: string, unauthenticatedHint?: string): WorkspaceApi {
  const toError = (response: Response, body: JsonObject | undefined, interruption: unknown): CliError => {
    const { ok, status } = response;
    if (interruption !== undefined) return connectionLost(interruption);
    if (ok && url !== undefined) return noHubAt(url);
    if (ok) return failed('unexpected_response', 'Unexpected response from the server.', SAME_VERSION_HINT);
    const error = errorBodyOf(status, body);
    const isForeign = error === undefined && url !== undefined;
    if (isForeign && !isOfProxy(status)) return noHubAt(url);
    const foreignMessage = `${url} returned ${status}, but the response is not from a Hub server.`;
    const missingMessage = `The server returned ${status} without an error message.`;
    return responseError({
      statusCode: status,
      message: error?.message ?? (isForeign ? foreignMessage : missingMessage),
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfterSeconds: retryAfterSeconds(response.headers),
      hint: isForeign
        ? 'Check the URL, and the proxy in front of the server.'
        : status === 401
          ? unauthenticatedHint
          : undefined,
    });
  };
  // Over a socket, any host works.
  return workspaceClient((path, init) => fetch(`${url ?? 'http://localhost'}${path}`, init), toError);
}

/** The error for a response that was interrupted. */
function connectionLost(error: unknown): CliError {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const reason = typeof code === 'string' ? code : String(name ?? error);
  return unreachableError(`The server disconnected during its response (${reason}).`, CHECK_FIRST);
}

/** Returns whether a proxy in front of a Hub server may send this status itself. */
function isOfProxy(status: number): boolean {
  return status >= 500 || [401, 403, 407, 408, 413, 429].includes(status);
}

/** The error for a URL at which there is another server. */
export function noHubAt(url: string): CliError {
  return failed(
    'unexpected_response',
    `There is no Hub server at ${url}.`,
    'Check the URL: use the address from your browser, without the path.',
  );
}

/** The maximum time between two chunks of a response. */
const STALL_TIMEOUT_MS = 60_000;

interface StreamOptions {
  /** The maximum time until the response starts. */
  beginWithinMs?: number;
  /** Cancels the request. */
  stop?: AbortSignal;
  /** Called with the response when it starts. */
  onResponse?: (response: Response) => void;
}

/** Streams a response of any size. Fails if the server disconnects, or sends nothing for a minute. */
export async function* streamResponse(
  ask: (signal: AbortSignal) => Promise<Response>,
  { beginWithinMs = STALL_TIMEOUT_MS, stop, onResponse }: StreamOptions = {},
): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const waiting = (ms: number): NodeJS.Timeout =>
    setTimeout(() => stalled.abort(new DOMException('The response stalled', 'TimeoutError')), ms);
  let timer = waiting(beginWithinMs);
  const signal = stop ? AbortSignal.any([stop, stalled.signal]) : stalled.signal;
  try {
    const response = await ask(signal);
    onResponse?.(response);
    try {
      for await (const piece of response.body ?? []) {
        clearTimeout(timer);
        yield piece;
        timer = waiting(STALL_TIMEOUT_MS);
      }
    } catch (error) {
      throw connectionLost(error);
    }
  } finally {
    clearTimeout(timer);
  }
}
