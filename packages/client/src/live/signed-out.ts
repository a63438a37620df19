import type { Target } from './open-socket.ts';

const ANSWER_MS = 10_000;

/**
 * What the server says to somebody who has to sign in (again); undefined if that is not what it says, or it says nothing.
 * A WebSocket does not tell why it was refused, but the same address answers a plain request by the same rules.
 */
export async function askWhetherSignedOut(
  { httpUrl, headers }: Target,
  ask: (url: string, init: RequestInit) => Promise<Response>,
): Promise<string | undefined> {
  if (httpUrl === undefined) return undefined;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const init = { headers: { accept: 'application/json', ...headers }, redirect: 'manual', signal } as const;
    const response = await ask(httpUrl, init);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.status !== 401) return undefined;
    const { message } = (typeof body === 'object' && body !== null ? body : {}) as { message?: unknown };
    return typeof message === 'string' ? message : 'Sign in again.';
  } catch {
    return undefined;
  }
}
