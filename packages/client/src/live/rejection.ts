import { messageIn, parseObject } from '../json-body.ts';
import type { Target } from './open-socket.ts';

const RESPONSE_MS = 10_000;

/** A response that the user can act on: 401 (sign in again) or 429 (close another connection). */
export interface Rejection {
  statusCode: 401 | 429;
  message: string;
}

/**
 * Returns why the server rejected a connection, or undefined if there is no response or none that the user can act on.
 * A WebSocket does not report the status of a rejected handshake, but the server applies the same rules to a plain
 * request.
 */
export async function fetchRejection(
  { httpUrl, headers }: Target,
  send: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Rejection | undefined> {
  if (httpUrl === undefined) return undefined;
  try {
    const signal = AbortSignal.timeout(RESPONSE_MS);
    const init = { headers: { accept: 'application/json', ...headers }, redirect: 'manual', signal } as const;
    const response = await send(httpUrl, init);
    const body = parseObject(await response.text().catch(() => ''));
    const { status } = response;
    if (status !== 401 && status !== 429) return undefined;
    const fallback = status === 401 ? 'Sign in again.' : 'There are too many connections.';
    return { statusCode: status, message: messageIn(body, fallback) };
  } catch {
    return undefined;
  }
}
