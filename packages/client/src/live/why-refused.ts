import type { Target } from './open-socket.ts';

const RESPONSE_MS = 10_000;

/** The answers that the user can do something about: 401 to sign in (again), 429 to close another connection. */
export interface Rejected {
  statusCode: 401 | 429;
  message: string;
}

/**
 * Asks why a connection could not be opened; undefined if the server gives no reason of the above, or says nothing. A WebSocket
 * does not tell why it was refused, but the same address answers a plain request by the same rules.
 */
export async function askWhyRejected(
  { httpUrl, headers }: Target,
  ask: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Rejected | undefined> {
  if (httpUrl === undefined) return undefined;
  try {
    const signal = AbortSignal.timeout(RESPONSE_MS);
    const init = { headers: { accept: 'application/json', ...headers }, redirect: 'manual', signal } as const;
    const response = await ask(httpUrl, init);
    const body: unknown = await response.json().catch(() => undefined);
    const { status } = response;
    if (status !== 401 && status !== 429) return undefined;
    const { message } = (typeof body === 'object' && body !== null ? body : {}) as { message?: unknown };
    const usual = status === 401 ? 'Sign in again.' : 'There are too many connections.';
    return { statusCode: status, message: typeof message === 'string' ? message : usual };
  } catch {
    return undefined;
  }
}
