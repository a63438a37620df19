import { HubApiError } from '../api-errors.ts';
import { HubConnectionError } from '../errors.ts';
import { explain } from '../exchange.ts';
import { errorBodyOf } from '../json-body.ts';
import { type WorkspaceClient, workspaceClient } from './index.ts';

const RESPONSE_MS = 30_000;

/** The server that requests go to, with the credentials in `headers`. */
interface Server {
  /** The URL before the path of the API. */
  base: string;
  headers: Readonly<Record<string, string>>;
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends requests to the workspace API. They fail with the errors of this package, and after 30 seconds. */
export function requestsTo({ base, headers, fetch: given, signal }: Server): WorkspaceClient {
  const send = given ?? fetch;
  return workspaceClient(
    async (path, init) => {
      const url = `${base}${path}`;
      const signals = [AbortSignal.timeout(RESPONSE_MS), signal ?? []].flat();
      const request = { ...init, headers: { ...init.headers, ...headers }, redirect: 'manual' as const };
      return send(url, { ...request, signal: AbortSignal.any(signals) }).catch(async (thrown: unknown) => {
        signal?.throwIfAborted();
        throw await explain(thrown, url, given === undefined);
      });
    },
    (response, body, interruption) => {
      const { status, headers, url } = response;
      if (interruption !== undefined)
        return new HubConnectionError('The connection was lost.', { mayHaveCreated: true });
      const message = `${url || base} returned ${status}, but not from a Hub server. Check baseUrl.`;
      const details = { message, timestamp: new Date().toISOString(), path: new URL(url || base).pathname };
      return new HubApiError({ status, headers, ...(errorBodyOf(status, body) ?? details) });
    },
  );
}
